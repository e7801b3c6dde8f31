/**
 * The first history entry of a document has no key of its own, so a position stored for an address
 * under "default" would also be found when the visitor types that address again. It is kept for a
 * reload and for Back into the document, and removed on a new visit.
 */
const STORES = ['react-router-scroll-positions'] as const

export function forgetLanding(): void {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type !== 'navigate') return
  const key = `default:${location.pathname}${location.search}`
  try {
    sessionStorage.removeItem(`position:${key}`)
    for (const store of STORES) {
      const positions = JSON.parse(sessionStorage.getItem(store) ?? '{}') as Record<string, number>
      delete positions[key]
      sessionStorage.setItem(store, JSON.stringify(positions))
    }
  } catch {
    // Storage is forbidden or contains something else: there is nothing to remove.
  }
}
