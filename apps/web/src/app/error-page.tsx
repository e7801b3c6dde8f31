import { messages } from '@shinobi/contract/messages'
import { useEffect, useEffectEvent } from 'react'
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router'
import type { PageError } from '../lib/page-loader.ts'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { ErrorBox } from '../ui/error-box.tsx'
import { PageHead } from './page-head.tsx'

/** Pauses between two tries to get a page without a line: the browser often says that it is back before it is. */
const [PAUSE_MS, PAUSE_MAX_MS] = [1_000, 30_000]
/** The page that is waited for, and how often it was tried. In here, as each try may draw this screen anew. */
const waited = { path: '', tries: 0 }

/** Stands in a page's place when the page cannot be shown. */
export function ErrorPage() {
  const error = useRouteError()
  const location = useLocation()
  const navigate = useNavigate()
  const path = location.pathname + location.search
  const isAnswer = isRouteErrorResponse(error)
  const isOffline = !isAnswer && (('onLine' in navigator && !navigator.onLine) || waited.path === path)
  const retry = () => {
    // What the address asked for cannot be had: without its query there is a page.
    if (isAnswer && error.status === 400) void navigate(location.pathname)
    // A page that broke while drawing (a stale chunk after a deployment, say) needs a whole new start.
    else if (!isAnswer && !isOffline) window.location.reload()
    else void navigate(path, { replace: true })
  }
  // Whoever was waiting for nothing but the line has the page when it is back.
  const onOnline = useEffectEvent(() => {
    if (isOffline) retry()
  })
  const wait = useEffectEvent(() => {
    waited.tries = waited.path === path ? waited.tries + 1 : 0
    waited.path = path
    return setTimeout(onOnline, Math.min(PAUSE_MAX_MS, PAUSE_MS * 2 ** waited.tries))
  })
  useEffect(() => {
    addEventListener('online', onOnline)
    return () => removeEventListener('online', onOnline)
  }, [])
  useEffect(() => {
    if (!isOffline) return undefined
    const timer = wait()
    return () => clearTimeout(timer)
  }, [isOffline, error])
  useEffect(
    () => () => {
      waited.path = ''
    },
    [],
  )
  if (isAnswer && error.status === 404) return <NotFoundPage />
  const said = isAnswer ? (error.data as PageError | null)?.message : isOffline ? messages.network : null
  const message = said ?? messages.unexpected
  return (
    <div className="container">
      <h1 className="visually-hidden">エラー</h1>
      <PageHead title="エラー" description={message} path={location.pathname} noindex />
      <ErrorBox message={message} pose={isOffline ? 'offline' : 'error'} onRetry={retry} />
    </div>
  )
}
