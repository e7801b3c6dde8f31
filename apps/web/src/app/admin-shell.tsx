import type { User } from '@shinobi/contract/accounts'
import { useEffect, useRef, type ReactNode } from 'react'
import { Link } from 'react-router'
import { useQueueCounts } from '../features/admin/queue.ts'
import { onForbidden } from '../lib/api-client.ts'
import { reloadUser } from '../features/accounts/reload-user.ts'
import { useOnline } from '../lib/use-online.ts'
import { cx } from '../ui/cx.ts'
import { ADMIN_GROUPS, adminPagesOf, type AdminPage } from './admin-pages.ts'
import styles from './admin-shell.module.css'
import { paths } from './paths.ts'

interface AdminShellProps {
  user: User
  page: AdminPage
  children: ReactNode
}

/**
 * The frame of the administration: its menu is at the side on wide windows, and above the screen on
 * narrow ones.
 */
export function AdminShell({ user, page, children }: AdminShellProps) {
  const counts = useWaiting(user._id)
  const online = useOnline()
  const list = useRef<HTMLDivElement>(null)
  const waiting = Object.values(counts).join()
  // On a phone the tabs are wider than the window: scroll to the current one, and again when the
  // numbers in front of it have come.
  useEffect(() => {
    list.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [page, waiting])
  const pages = adminPagesOf(user)
  return (
    <div className={styles['shell']}>
      <nav className={styles['menu']} aria-label="管理メニュー">
        <div ref={list} className={styles['groups']}>
          {ADMIN_GROUPS.map((group) => {
            const entries = pages.filter((entry) => entry.group === group)
            if (entries.length === 0) return null
            return (
              <section key={group} className={styles['group']} aria-label={group}>
                <p className={styles['title']} aria-hidden="true">
                  {group}
                </p>
                <ul className={styles['list']}>
                  {entries.map((entry) => (
                    <li key={entry.label}>
                      <Entry entry={entry} current={entry === page} waiting={counts[entry.screen ?? '']} />
                    </li>
                  ))}
                </ul>
              </section>
            )
          })}
        </div>
      </nav>
      <div className={styles['screen']}>
        {/* Always in the page: screen readers announce only changes in an existing live region. */}
        <p role="status" className={cx(styles['offline'])}>
          {!online && 'オフラインです。表示は最後に読み込んだときのもので、操作はつながってからできます。'}
        </p>
        {children}
      </div>
    </div>
  )
}

/** From this number on the badge shows 999+. */
const COUNTED = 1_000

function Entry({ entry, current, waiting = 0 }: { entry: AdminPage; current: boolean; waiting: number | undefined }) {
  return (
    <Link
      to={paths.admin(entry.screen)}
      className={cx(styles['entry'])}
      {...(current && { 'aria-current': 'page' as const })}
    >
      {entry.label}
      {waiting > 0 && (
        <span className={styles['badge']}>
          <span className="visually-hidden">、</span>
          {waiting >= COUNTED ? '999+' : waiting}
          <span className="visually-hidden">件</span>
        </span>
      )}
    </Link>
  )
}

/**
 * Numbers of reports, held posts and news in the queues. A 403 here or on a screen means that the
 * rights of this user may have changed: the user is reloaded, so that the guards decide again.
 */
function useWaiting(userId: string): Readonly<Record<string, number>> {
  const { data } = useQueueCounts(userId)
  useEffect(() => onForbidden(() => void reloadUser()), [])
  return data === undefined ? {} : { reports: data.cases, held: data.held, news: data.news }
}
