/** Nicknames of anonymous visitors: one per thread, kept for the session of the browser tab (SPEC §3, §4). */
const keyOf = (threadId: string) => `anonymousNickname-${threadId}`

export function storedNickname(threadId: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(threadId))
  } catch {
    return null
  }
}

export function storeNickname(threadId: string, name: string): void {
  try {
    sessionStorage.setItem(keyOf(threadId), name)
  } catch {
    // Storage closed to us (private windows): the name lasts as long as the page.
  }
}
