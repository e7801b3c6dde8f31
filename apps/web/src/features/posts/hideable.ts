/** A post as the rules of hiding see it. */
import type { Post } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import type { RuleKind } from '@shinobi/contract/hiding-entry'
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

/** As readers see it: a name with a tripcode is not the same name without it. */
const shownName = ({ name, trip }: Post): string => `${name ?? NAMELESS}${trip === undefined ? '' : `◆${trip}`}`

export interface WriterCandidate {
  readonly kind: RuleKind & ('id' | 'name')
  readonly text: string
}

/** What a rule can know the writer of a post by: the ID where one is shown, and the name. */
export function writerCandidates(post: Post): readonly WriterCandidate[] {
  const name = shownName(post)
  return [
    ...(post.posterId === undefined ? [] : [{ kind: 'id' as const, text: post.posterId }]),
    ...(name === NAMELESS ? [] : [{ kind: 'name' as const, text: name }]),
  ]
}

/** Posts are immutable, so the object is the key. */
const described = new WeakMap<Post, HideablePost>()

export function toHideable(post: Post): HideablePost {
  const known = described.get(post)
  if (known !== undefined) return known
  const hideable: HideablePost = {
    number: post.number,
    answered: answeredBy(post),
    subject: { name: shownName(post), id: post.posterId ?? null, content: post.content, hosts: hostsOf(post) },
    pictureUrl: post.thumbnailUrl ?? post.imageUrl,
  }
  described.set(post, hideable)
  return hideable
}
