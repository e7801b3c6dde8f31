import { useLocation } from 'react-router'
import { deferred } from '../lib/deferred.tsx'
import { inTime } from '../lib/in-time.ts'

/** Who waits for it has mostly waited for the page before. */
const ERROR_SCREEN_MS = 10_000

/** Where not even the screen for errors can be fetched: the browser itself asks again. */
function PlainError() {
  const { pathname, search } = useLocation()
  return (
    <p className="container" role="alert">
      ページを読み込めませんでした。<a href={pathname + search}>もう一度試す</a>
    </p>
  )
}

/** What stands in a page's place when it cannot be shown. */
export const ErrorScreen = deferred(
  () =>
    inTime(() => import('./error-page.tsx'), ERROR_SCREEN_MS).then(
      ({ ErrorPage }) => ErrorPage,
      () => PlainError,
    ),
  'src/app/error-page.tsx',
)
/** That a session is over. */
export const SessionNotice = deferred(async () => (await import('./layout/session-notice.tsx')).SessionNotice)
/** The screen of a navigation that takes its time. */
export const PendingScreen = deferred(
  async () => (await import('../ui/loading-screen.tsx')).LoadingScreen,
  'src/ui/loading-screen.tsx',
)
