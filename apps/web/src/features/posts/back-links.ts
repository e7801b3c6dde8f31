import type { Post } from '@shinobi/contract/posts'
import { numbersOf, parseContent } from './parse-content.ts'

/**
 * A post that answers more posts than this creates no back-links: >>1-1000 must not create a
 * thousand.
 */
const ANSWERED_MAX = 10

/**
 * Cached, because otherwise every arriving post would parse all of them again; posts are immutable,
 * so the object is the key.
 */
const cache = new WeakMap<Post, readonly number[]>()

export function answeredBy(post: Post): readonly number[] {
  const known = cache.get(post)
  if (known !== undefined) return known
  const numbers = new Set<number>()
  for (const token of parseContent(post.content)) {
    if (token.kind !== 'anchor') continue
    const named = numbersOf(token.ranges, ANSWERED_MAX + 1)
    if (named.length <= ANSWERED_MAX) for (const number of named) numbers.add(number)
  }
  const answered = [...numbers].filter((number) => number < post.number)
  cache.set(post, answered)
  return answered
}

/**
 * For each post number, the numbers of the given posts that answer it, as a list that can be
 * compared.
 */
export function backLinks(posts: readonly Post[]): ReadonlyMap<number, readonly number[]> {
  const links = new Map<number, number[]>()
  for (const post of posts) {
    for (const number of answeredBy(post)) {
      const list = links.get(number)
      if (list === undefined) links.set(number, [post.number])
      else list.push(post.number)
    }
  }
  return links
}
