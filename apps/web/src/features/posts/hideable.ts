/** A post as the rules of hiding see it. */
import type { Post } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import type { HideablePost } from '../hiding/use-match.ts'
import { answeredBy } from './back-links.ts'
import { parseContent } from './parse-content.ts'

/** The hosts that a post links to, each once. */
export const hostsOf = (post: Post): string[] => [
  ...new Set(
    parseContent(post.content).flatMap((token) =>
      token.kind === 'link' ? new URL(token.href).hostname.replace(/^www\./u, '') : [],
    ),
  ),
]

/** Posts are immutable, so the object is the key. */
const described = new WeakMap<Post, HideablePost>()

export function toHideable(post: Post): HideablePost {
  const known = described.get(post)
  if (known !== undefined) return known
  const hideable: HideablePost = {
    number: post.number,
    answered: answeredBy(post),
    subject: { name: post.name ?? NAMELESS, content: post.content, hosts: hostsOf(post) },
    pictureUrl: post.thumbnailUrl ?? post.imageUrl,
  }
  described.set(post, hideable)
  return hideable
}
