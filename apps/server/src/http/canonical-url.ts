/**
 * Normalises addresses, so that each answer has one cache key. Letters can be percent-encoded, and
 * parameters can be invented: with a key for each such address, one answer could be made over and
 * over, and evict all others.
 */

/**
 * Path and query with known parameters only, in the given order, each once (the first counts).
 * @param parameters that the answer depends on
 */
export function canonicalUrl(url: string, parameters: readonly string[]): string {
  const start = url.indexOf('?')
  const path = canonicalPath(start === -1 ? url : url.slice(0, start))
  if (start === -1 || parameters.length === 0) return path
  const kept = new URLSearchParams()
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    if (parameters.includes(name) && !kept.has(name)) kept.set(name, value)
  }
  return kept.size === 0 ? path : `${path}?${kept}`
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
  if (segments.length > 2 && segments.at(-1) === '') segments.pop()
  return segments.join('/')
}

function canonicalSegment(segment: string): string {
  try {
    return encodeURIComponent(decodeURIComponent(segment))
  } catch {
    return segment
  }
}
