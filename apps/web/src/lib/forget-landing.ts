/**
 * The first history entry of a document has no key of its own, so what was remembered for an address under "default" would also
 * be found when somebody types that address again. A reload or Back into the document keeps it; a new visit forgets it.
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
    // Forbidden or foreign storage: nothing to forget.
  }
}
