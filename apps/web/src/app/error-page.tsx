import { messages } from '@shinobi/contract/messages'
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
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFoundPage />
  const message =
    (isRouteErrorResponse(error) ? (error.data as PageError | null)?.message : null) ?? messages.unexpected
  const retry = () => {
    // A page that broke while drawing (a stale chunk after a deployment, say) needs a whole new start.
    if (!isRouteErrorResponse(error)) window.location.reload()
    // What the address asked for cannot be had: without its query there is a page.
    else if (error.status === 400) void navigate(location.pathname)
    else void navigate(location.pathname + location.search, { replace: true })
  }
  return (
    <div className="container">
      <h1 className="visually-hidden">エラー</h1>
      <PageHead title="エラー" description={message} path={location.pathname} noindex />
      <ErrorBox message={message} onRetry={retry} />
    </div>
  )
}
