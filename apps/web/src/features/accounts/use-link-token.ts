import { useSyncExternalStore } from 'react'

/**
 * The token after the # of a link in a mail. For events: a form may be submitted as soon as the
 * page is ready, when the component has not rendered it yet.
 */
export const readLinkToken = (): string => decodeToken(location.hash)

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
export const useLinkToken = (): string | null => useSyncExternalStore(follow, readLinkToken, () => null)
