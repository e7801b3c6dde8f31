/**
 * The life of a thread: it takes posts up to its limit, nears its end from 95 % on, and becomes a
 * past log with the post that reaches the limit. Free of zod, because the browser loads it.
 */

interface Life {
  readonly postCount: number
  readonly postLimit: number
  readonly closedAt: string | null
}

/**
 * The number of posts from which a thread nears its end and its next one may be opened: early
 * enough to tell everybody, and late enough that hardly any thread gets a successor that it does
 * not need.
 */
export const endingFrom = (postLimit: number): number => Math.ceil((postLimit * 95) / 100)

/** `ending` from 95 % of the limit on; `past` once the last post is written. */
export function stageOf({ postCount, postLimit, closedAt }: Life): 'open' | 'ending' | 'past' {
  if (closedAt !== null) return 'past'
  return postCount >= endingFrom(postLimit) ? 'ending' : 'open'
}
