import { messages } from '@shinobi/contract/messages'
import { useEffect, useEffectEvent, useState } from 'react'
import { isRouteErrorResponse, useLocation, useNavigate, useRouteError } from 'react-router'
import { keepTrying } from '../lib/keep-trying.ts'
import { isReachable } from '../lib/load-chunk.ts'
import type { PageError } from '../lib/page-loader.ts'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { ErrorBox } from '../ui/error-box.tsx'
import { PageHead } from './page-head.tsx'

/** Shown instead of a page that failed. */
export function ErrorPage() {
  const error = useRouteError()
  const location = useLocation()
  const navigate = useNavigate()
  const path = location.pathname + location.search
  const isAnswer = isRouteErrorResponse(error)
  const [isOffline, setOffline] = useState('onLine' in navigator && !navigator.onLine)
  const retry = async () => {
    // The query of the address is invalid: the page exists without it.
    if (isAnswer && error.status === 400) void navigate(location.pathname)
    // Without a network a reload would end at an error of the browser.
    else if (!(await isReachable())) setOffline(true)
    // A chunk that failed once may fail until the page is loaded anew (see load-chunk.ts).
    else if (!isAnswer) window.location.reload()
    else {
      setOffline(false)
      void navigate(path, { replace: true })
    }
  }
  // A new version of the board has replaced the part that could not be loaded.
  useEffect(() => {
    if (!isAnswer) window.findNewVersion?.().catch(() => {})
  }, [isAnswer])
  const retryByItself = useEffectEvent(retry)
  // A visitor who was only offline gets the page when the network is back.
  useEffect(() => (isOffline ? keepTrying(() => void retryByItself()) : undefined), [isOffline])
  if (isAnswer && error.status === 404)
    return <NotFoundPage withdrawal={(error.data as PageError | null)?.withdrawal} />
  const said = isAnswer ? (error.data as PageError | null)?.message : isOffline ? messages.network : null
  const message = said ?? messages.unexpected
  return (
    <div className="container">
      <h1 className="visually-hidden">エラー</h1>
      <PageHead title="エラー" description={message} path={location.pathname} noindex />
      <ErrorBox message={message} pose={isOffline ? 'offline' : 'error'} onRetry={() => void retry()} />
    </div>
  )
}
