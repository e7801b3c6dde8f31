/** Which part of a thread an address shows: `/thread/:id` from post 1, `?after=N` from N + 1, `?last=1` the newest 50. */
import { PAGE_SIZE } from '@shinobi/contract/limits'
import { paths } from '../../app/paths.ts'

export type PostRange = { readonly after: number } | { readonly last: true }

export const RANGE_PARAMETERS = ['after', 'last'] as const

export function readPostRange(parameters: URLSearchParams): PostRange {
  if (parameters.get('last') === '1') return { last: true }
  const after = parameters.get('after') ?? ''
  return { after: /^[0-9]{1,9}$/u.test(after) ? Number(after) : 0 }
}

export const isLatest = (range: PostRange): range is { readonly last: true } => 'last' in range

export function rangePath(threadId: string, range: PostRange): string {
  if (isLatest(range)) return `${paths.thread(threadId)}?last=1`
  return range.after <= 0 ? paths.thread(threadId) : `${paths.thread(threadId)}?after=${range.after}`
}

/** Start of the page a post stands on. Pages are aligned, so that all links to a part of a thread share one address. */
export const pageOf = (number: number): number => Math.floor((number - 1) / PAGE_SIZE) * PAGE_SIZE

/** A post's own address; works without JavaScript, whatever its number. */
export const postPath = (threadId: string, number: number): string =>
  `${rangePath(threadId, { after: pageOf(number) })}#${number}`

/** The newest posts, at the very last one. */
export const latestPath = (threadId: string, newest: number): string =>
  `${rangePath(threadId, { last: true })}#${newest}`

/** Where 2ch's way of naming a part of a thread leads: 480, 480-, 480-500, l50. Null for what names none. */
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
