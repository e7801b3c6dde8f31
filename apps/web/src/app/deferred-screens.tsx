import { useLocation } from 'react-router'
import { deferred } from '../lib/deferred.tsx'
import { inTime } from '../lib/load-chunk.ts'

/** Shorter than other timeouts: most visitors have waited for the page already. */
const ERROR_SCREEN_MS = 10_000

/**
 * Shown where the error screen cannot be loaded either: its link makes the browser load the page.
 */
function PlainError() {
  const { pathname, search } = useLocation()
  return (
    <p className="container" role="alert">
      ページを読み込めませんでした。<a href={pathname + search}>もう一度試す</a>
    </p>
  )
}

/** Shown instead of a page that failed. */
export const ErrorScreen = deferred(
  () =>
    inTime(() => import('./error-page.tsx'), ERROR_SCREEN_MS).then(
      ({ ErrorPage }) => ErrorPage,
      () => PlainError,
    ),
  'src/app/error-page.tsx',
)
/** Shown during a slow navigation. */
export const PendingScreen = deferred(
  async () => (await import('../ui/loading-screen.tsx')).LoadingScreen,
  'src/ui/loading-screen.tsx',
)
