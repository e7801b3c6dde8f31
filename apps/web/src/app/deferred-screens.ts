import { deferred } from '../lib/deferred.tsx'

/** What stands in a page's place when it cannot be shown. */
export const ErrorScreen = deferred(async () => (await import('./error-page.tsx')).ErrorPage, 'src/app/error-page.tsx')
/** The screen of a navigation that takes its time. */
export const PendingScreen = deferred(
  async () => (await import('../ui/loading-screen.tsx')).LoadingScreen,
  'src/ui/loading-screen.tsx',
)
