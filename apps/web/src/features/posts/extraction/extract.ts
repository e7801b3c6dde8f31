/** Picks the posts of a thread that a reader asks for, in the order in which they are shown. */
import type { Post } from '@shinobi/contract/posts'
import { backLinks } from '../back-links.ts'
import { parseContent } from '../parse-content.ts'

/** The writer of a post: a member, or the only visitor who may use that name in the thread. */
export type Writer = Pick<Post, 'name' | 'userId'>

export type Wanted =
  | { readonly kind: 'images' | 'links' | 'answered' | 'liked' | 'own' }
  | { readonly kind: 'writer'; readonly writer: Writer }

/** A post with this many answers is one that many answered. */
export const ANSWERED_MIN = 3

export function extract(posts: readonly Post[], wanted: Wanted, isOwn: (post: Post) => boolean): Post[] {
  const standing = posts.filter((post) => !post.deleted)
  switch (wanted.kind) {
    case 'writer':
      return standing.filter((post) => isBy(post, wanted.writer))
    case 'images':
      return standing.filter(({ imageUrl }) => imageUrl !== null)
    case 'links':
      return standing.filter(({ content }) => parseContent(content).some(({ kind }) => kind === 'link'))
    case 'liked':
      return standing.filter(({ likes }) => likes > 0).toSorted((a, b) => b.likes - a.likes)
    case 'answered': {
      const answers = backLinks(standing)
      const count = ({ number }: Post) => answers.get(number)?.length ?? 0
      return standing.filter((post) => count(post) >= ANSWERED_MIN).toSorted((a, b) => count(b) - count(a))
    }
    case 'own': {
      const own = posts.filter(isOwn)
      const answers = backLinks(standing)
      const numbers = new Set(own.flatMap(({ number }) => [number, ...(answers.get(number) ?? [])]))
      return posts.filter(({ number }) => numbers.has(number))
    }
  }
}

const isBy = (post: Post, { name, userId }: Writer): boolean =>
  userId === null ? post.userId === null && post.name === name : post.userId === userId
