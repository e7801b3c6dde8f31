/**
 * Guards that decide who may see a page (docs/product.md#guards). While the session is unknown they
 * show the loading screen, never the page of the other audience.
 */
import type { User } from '@shinobi/contract/accounts'
import type { ReactNode } from 'react'
import { Navigate, useLocation } from 'react-router'
import { useSession } from '../features/accounts/use-session.ts'
import { LoadingScreen } from '../ui/loading-screen.tsx'
import styles from './guards.module.css'
import { nextPath } from './next-path.ts'
import { paths } from './paths.ts'

/** For members; others are redirected to /login and return afterwards. */
export function LoginGuard({ children }: { children: (user: User) => ReactNode }) {
  const session = useSession()
  const { pathname, search } = useLocation()
  if (session.status === 'in') return children(session.user)
  if (session.status === 'out') return <Navigate to={paths.login(pathname + search)} replace />
  return <Waiting />
}

/** For guests; members are redirected to ?next=, or else to the profile. */
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
