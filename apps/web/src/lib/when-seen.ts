/**
 * Calls `act` once the page is on the screen: at once, or when its tab is shown.
 * @returns what cancels it
 */
export function whenSeen(act: () => void): () => void {
  const cancel = () => document.removeEventListener('visibilitychange', look)
  const look = () => {
    if (document.visibilityState !== 'visible') return
    cancel()
    act()
  }
  document.addEventListener('visibilitychange', look)
  look()
  return cancel
}
