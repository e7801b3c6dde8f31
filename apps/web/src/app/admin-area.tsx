/** Everything below /admin: its guard, its frame, and the screen of the address. */
import type { User } from '@shinobi/contract/accounts'
import { Suspense } from 'react'
import { Navigate, useLocation } from 'react-router'
import { NotFoundPage } from '../pages/not-found/not-found-page.tsx'
import { Spinner } from '../ui/spinner.tsx'
import styles from './admin-area.module.css'
import { AdminGuard } from './admin-guard.tsx'
import { findAdminPage, type AdminPage } from './admin-pages.ts'
import { AdminShell } from './admin-shell.tsx'
import { PageHead } from './page-head.tsx'
import { paths } from './paths.ts'

export function AdminArea() {
  const { pathname } = useLocation()
  const page = findAdminPage(pathname)
  // That one has a head of its own.
  if (page === undefined) return <AdminGuard>{() => <NotFoundPage />}</AdminGuard>
  return (
    <>
      <PageHead
        title={`${page.label} — 管理`}
        description="忍板の管理画面です。"
        path={paths.admin(page.screen)}
        noindex
      />
      <AdminGuard>{(user) => <Screen key={user._id} user={user} page={page} />}</AdminGuard>
    </>
  )
}

function Screen({ user, page }: { user: User; page: AdminPage }) {
  // A moderator's area begins with the reports.
  if (!user.isAdmin && !page.moderators) return <Navigate to={paths.admin('reports')} replace />
  return (
    <AdminShell user={user} page={page}>
      {/* With a key: what is awaited shows at once that it is, rather than leaving the screen before in its place. */}
      <Suspense key={page.label} fallback={<Waiting />}>
        <page.Component />
      </Suspense>
    </AdminShell>
  )
}

const Waiting = () => (
  <div className={styles['waiting']}>
    <Spinner label="画面を読み込んでいます" />
  </div>
)
