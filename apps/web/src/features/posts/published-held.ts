import type { Post } from '@shinobi/contract/posts'
import type { HeldItem } from '../held/held.ts'

/** The posts that were held and are published now: under the same id, whatever their names. */
export const publishedOf = (posts: readonly Post[], held: readonly Pick<HeldItem, 'id'>[]): Post[] =>
  held.length === 0 ? [] : posts.filter(({ _id }) => held.some(({ id }) => id === _id))
