/**
 * Pictures are compared by the SHA-256 of their small form. The board stores the same upload as the
 * same bytes, under an address of its own each time.
 */
const known = new Map<string, Promise<string | null>>()

/** Browsers offer hashes on https and on localhost only. */
export const canHash = (): boolean => globalThis.crypto?.subtle !== undefined

async function hash(url: string): Promise<string | null> {
  const answer = await fetch(url, { signal: AbortSignal.timeout(20_000) })
  if (!answer.ok) return null
  const digest = await crypto.subtle.digest('SHA-256', await answer.arrayBuffer())
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The hash of a picture; null when it cannot be loaded, which the next call tries again. */
export function hashPicture(url: string): Promise<string | null> {
  const before = known.get(url)
  if (before !== undefined) return before
  if (!canHash()) return Promise.resolve(null)
  const started = hash(url)
    .catch(() => null)
    .then((found) => {
      if (found === null) known.delete(url)
      return found
    })
  known.set(url, started)
  return started
}
