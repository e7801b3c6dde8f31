import type { QueryClient } from '@tanstack/react-query'
import { threadKeys } from '../features/threads/api.ts'

/**
 * Back into a document shows it as the browser kept it, whole or as the bytes it was made of, however old: lists would lack what was
 * written since, one's own posts among it.
 */
export function rereadOnReturn(queryClient: QueryClient): void {
  const reread = () => void queryClient.invalidateQueries({ queryKey: threadKeys.lists })
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  if (navigation?.type === 'back_forward') reread()
  addEventListener('pageshow', ({ persisted }) => {
    if (persisted) reread()
  })
}
