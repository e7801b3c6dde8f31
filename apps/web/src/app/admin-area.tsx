/** Everything below /admin: its guard, its frame, and the screen of the current address. */
import type { User } from '@shinobi/contract/accounts'
import { objectionTo } from '@shinobi/contract/permissions'
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
  // NotFoundPage has its own PageHead.
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
  // A user who may not see this screen is redirected to the reports.
  if (objectionTo(user, page.action) !== null) return <Navigate to={paths.admin('reports')} replace />
  return (
    <AdminShell user={user} page={page}>
      {/* The key makes the fallback appear at once instead of the previous screen. */}
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
