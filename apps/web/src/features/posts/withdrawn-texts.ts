/**
 * The texts of own posts that were deleted on this page, to be written anew. Neither the server nor
 * another browser has them.
 */
import type { Post } from '@shinobi/contract/posts'

const texts = new Map<string, string>()

export const keepText = ({ _id, content }: Pick<Post, '_id' | 'content'>): void => void texts.set(_id, content)

export const keptText = (postId: string): string | null => texts.get(postId) ?? null

export const dropText = (postId: string): void => void texts.delete(postId)
