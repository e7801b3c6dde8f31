/**
 * The part of a thread that an address shows: `/thread/:id` from post 1, `?after=N` from N + 1,
 * `?last=1` the newest 50.
 */
import { paths } from '../../app/paths.ts'

export type PostRange = { readonly after: number } | { readonly last: true }

export function readPostRange(parameters: URLSearchParams): PostRange {
  if (parameters.get('last') === '1') return { last: true }
  const after = parameters.get('after') ?? ''
  return { after: /^[0-9]{1,9}$/u.test(after) ? Number(after) : 0 }
}

export const isLatest = (range: PostRange): range is { readonly last: true } => 'last' in range

export function rangeQuery(range: PostRange): string {
  if (isLatest(range)) return '?last=1'
  return range.after <= 0 ? '' : `?after=${range.after}`
}

export const rangePath = (threadId: string, range: PostRange): string => paths.thread(threadId) + rangeQuery(range)

/** A post's permanent address; works without JavaScript for every number. */
export const postPath = paths.post

/** The newest page, at its last post. */
export const latestPath = (threadId: string, newest: number): string =>
  `${rangePath(threadId, { last: true })}#${newest}`

/**
 * The path for a part of a thread in 2ch's notation: 480, 480-, 480-500, l50. Null for anything
 * else.
 */
export function pathOfPlace(threadId: string, place: string): string | null {
  if (/^l[1-9][0-9]{0,8}n?$/u.test(place)) return rangePath(threadId, { last: true })
  const [, number] = /^([1-9][0-9]{0,8})(?:-(?:[1-9][0-9]{0,8})?)?n?$/u.exec(place) ?? []
  if (number !== undefined) return postPath(threadId, Number(number))
  return /^-[1-9][0-9]{0,8}$/u.test(place) ? rangePath(threadId, { after: 0 }) : null
}

/** The number in a fragment such as #12. */
export function numberOfHash(hash: string): number | null {
  const match = /^#([1-9][0-9]{0,8})$/u.exec(hash)
  return match === null ? null : Number(match[1])
}
