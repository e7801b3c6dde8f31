import { messages } from '@shinobi/contract/messages'
import { useEffect, useEffectEvent } from 'react'
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router'
import type { PageError } from '../lib/page-loader.ts'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { ErrorBox } from '../ui/error-box.tsx'
import { PageHead } from './page-head.tsx'

/** Stands in a page's place when the page cannot be shown. */
export function ErrorPage() {
  const error = useRouteError()
  const location = useLocation()
  const navigate = useNavigate()
  const isAnswer = isRouteErrorResponse(error)
  const isOffline = 'onLine' in navigator && !navigator.onLine
  const retry = () => {
    // What the address asked for cannot be had: without its query there is a page.
    if (isAnswer && error.status === 400) void navigate(location.pathname)
    // A page that broke while drawing (a stale chunk after a deployment, say) needs a whole new start.
    else if (!isAnswer && !isOffline) window.location.reload()
    else void navigate(location.pathname + location.search, { replace: true })
  }
  // Whoever was waiting for nothing but the line has the page when it is back.
  const onOnline = useEffectEvent(() => {
    if (isOffline) retry()
  })
  useEffect(() => {
    addEventListener('online', onOnline)
    return () => removeEventListener('online', onOnline)
  }, [])
  if (isAnswer && error.status === 404) return <NotFoundPage />
  const said = isAnswer ? (error.data as PageError | null)?.message : isOffline ? messages.network : null
  const message = said ?? messages.unexpected
  return (
    <div className="container">
      <h1 className="visually-hidden">エラー</h1>
      <PageHead title="エラー" description={message} path={location.pathname} noindex />
      <ErrorBox message={message} onRetry={retry} />
    </div>
  )
}
