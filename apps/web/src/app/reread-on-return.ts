import type { QueryClient } from '@tanstack/react-query'
import { threadKeys } from '../features/threads/api.ts'

/**
 * Refetches lists after Back into the document. The browser restores the page from its cache,
 * however old, so lists would lack newer posts, the visitor's own among them.
 */
export function rereadOnReturn(queryClient: QueryClient): void {
  const reread = () => void queryClient.invalidateQueries({ queryKey: threadKeys.lists })
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') reread()
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reread()
  })
}
