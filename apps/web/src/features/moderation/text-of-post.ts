import type { ModeratedPost } from '@shinobi/contract/moderation'

/**
 * The text of a post for moderators. That of a removed one is erased after a while, and posts of
 * imported logs may have none.
 */
export const textOfPost = ({ content, deleted }: Pick<ModeratedPost, 'content' | 'deleted'>): string =>
  content || (deleted ? '（本文は消去されました）' : '（本文なし）')
