/**
 * Who may see a page (docs/product.md#guards). Until that is known there is the loading screen, and
 * never the page of the other kind.
 */
import type { User } from '@shinobi/contract/accounts'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../lib/use-session.ts'
import { LoadingScreen } from '../ui/loading-screen.tsx'
import styles from './guards.module.css'
import { nextPath } from './next-path.ts'
import { paths } from './paths.ts'

/** Members only; others are sent to /login and come back afterwards. */
export function LoginGuard({ children }: { children: (user: User) => ReactNode }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status === 'in') return children(session.user)
  if (session.status === 'out') return <Navigate to={paths.login(pathname + search)} replace />
  return <Waiting />
}

/** Only for those who are not logged in; members go on to where ?next= or else the profile is. */
export function GuestGuard({ children }: { children: ReactNode }) {
  const { status } = useSession()
  const { search } = useLocation()
  if (status === 'out') return children
  if (status === 'in') return <Navigate to={nextPath(search)} replace />
  return <Waiting />
}

function Waiting() {
  return (
    <>
      <LoadingScreen />
      <noscript>
        <p className={`container ${styles['noscript']}`}>この画面にはJavaScriptが必要です。</p>
      </noscript>
    </>
  )
}
