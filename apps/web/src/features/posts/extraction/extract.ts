/** Picks the posts of a thread that a reader asks for, in the order in which they are shown. */
import type { Post } from '@shinobi/contract/posts'
import { backLinks } from '../back-links.ts'
import { parseContent } from '../parse-content.ts'

/**
 * The writer of a post: a member, the only visitor who may use that name in the thread, or whoever
 * has the key of a tripcode.
 */
export type Writer = Pick<Post, 'name' | 'userId' | 'trip'>

/** One person's posts: by name, or by the ID of a day. */
export type Person = { readonly kind: 'writer'; readonly writer: Writer } | { readonly kind: 'id'; readonly id: string }

export type Wanted = { readonly kind: 'images' | 'links' | 'answered' | 'liked' | 'own' } | Person

/** A post with this many answers is one that many answered. */
export const ANSWERED_MIN = 3

export function extract(posts: readonly Post[], wanted: Wanted, isOwn: (post: Post) => boolean): Post[] {
  const standing = posts.filter((post) => !post.deleted)
  switch (wanted.kind) {
    case 'writer':
      return standing.filter((post) => isBy(post, wanted.writer))
    case 'id':
      return standing.filter(({ posterId }) => posterId === wanted.id)
    case 'images':
      return standing.filter(({ imageUrl }) => imageUrl !== null)
    case 'links':
      return standing.filter(({ content, plainLinks }) =>
        parseContent(content, { plainLinks }).some(({ kind }) => kind === 'link'),
      )
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

function isBy(post: Post, { name, userId, trip }: Writer): boolean {
  if (userId !== null) return post.userId === userId
  if (trip !== undefined) return post.trip === trip
  return post.userId === null && post.trip === undefined && post.name === name
}
