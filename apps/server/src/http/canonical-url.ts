/**
 * Normalises addresses, so that each answer has one cache key. Letters can be percent-encoded,
 * parameters can be invented, and values can be spelled in many ways: with a key for each such
 * address, one answer could be made over and over, and evict all others.
 */
import { z } from 'zod'

/** The one address of an answer; null where the query will be refused. */
export type AddressOf = (path: string, query: URLSearchParams) => string | null

/** Path and query as `addressOf` writes them. */
export function canonicalUrl(url: string, addressOf: AddressOf): string | null {
  const start = url.indexOf('?')
  if (start === -1) return addressOf(canonicalPath(url), new URLSearchParams())
  return addressOf(canonicalPath(url.slice(0, start)), new URLSearchParams(url.slice(start)))
}

/**
 * Writes the parameters that the schema of a query knows, in its order, each once (the first
 * counts), with the values that the schema reads.
 */
export function addressBySchema(schema: unknown): AddressOf {
  if (!(schema instanceof z.ZodObject)) return (path) => path
  const known = Object.keys(schema.shape)
  return (path, query) => {
    const names = known.filter((name) => query.has(name))
    if (names.length === 0) return path
    const { data } = schema.safeParse(Object.fromEntries(names.map((name) => [name, query.get(name)])))
    if (data === undefined) return null
    return `${path}?${new URLSearchParams(names.map((name) => [name, String(data[name])]))}`
  }
}

/**
 * Path and query of a request's target. Programs may send a whole address (RFC 9112 §3.2.2), and
 * the router takes a fragment for a query; both must lead to the address that everybody sends.
 */
export function originForm(target: string): string {
  if (target.startsWith('/') && !target.includes('#')) return target
  const url = target.split('#', 1)[0]!.replace(/^https?:\/\/[^/?]*/i, '')
  return url.startsWith('/') ? url : `/${url}`
}

/**
 * The address without `changes`, by which a page goes past copies of caches in front of the board:
 * the board's own cache has the newest answer under the address of everybody.
 */
export function withoutChanges(url: string): string {
  if (!url.includes('changes=')) return url
  return url.replace(/([?&])changes=\d*(&|$)/, (_, before: string, after: string) => (after === '' ? '' : before))
}

function canonicalPath(path: string): string {
  const segments = path.split('/').map(canonicalSegment)
  // The routers take no notice of slashes at the end.
  while (segments.length > 2 && segments.at(-1) === '') segments.pop()
  return segments.join('/')
}

/** An id, alone or as the name of a file. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\.\w+$|$)/i

function canonicalSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment)).replace(ID, (id) => id.toLowerCase())
  } catch {
    return segment
  }
}
