import { useSyncExternalStore } from 'react'

/** What a mail's link carries behind its #. */
const read = () => decodeToken(location.hash)

/** `#token`, or `#token=…` as some mail programs' link checkers rewrite it. */
function decodeToken(hash: string): string {
  const text = hash.replace(/^#(token=)?/, '')
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function follow(listener: () => void): () => void {
  addEventListener('hashchange', listener)
  return () => removeEventListener('hashchange', listener)
}

/** The token of the address; null in the rendered page and while hydrating, where nobody knows it. */
export const useLinkToken = (): string | null => useSyncExternalStore(follow, read, () => null)
