import { useSyncExternalStore } from 'react'

/** The token after the # of a link in a mail. */
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

/** The token of the address; null on the server and while hydrating, where it is unknown. */
export const useLinkToken = (): string | null => useSyncExternalStore(follow, read, () => null)
