import { useEffect, useMemo } from 'react'
import styles from './header-count.module.css'
import { rowsOf, unreadIn } from './rows.ts'
import { useRecords } from './use-records.ts'

const NO_POSITIONS = new Map<string, never>()

/** The unread posts of the favourites, as far as this browser knows; on an app's icon too. */
export function HeaderCount() {
  const records = useRecords()
  const unread = useMemo(
    () => (typeof records === 'string' ? 0 : unreadIn(rowsOf(records, NO_POSITIONS, 'favourites'))),
    [records],
  )
  useEffect(() => {
    // Only some browsers have badges, and only for installed pages; 0 removes it.
    if ('setAppBadge' in navigator) navigator.setAppBadge(unread).catch(() => {})
  }, [unread])
  if (unread === 0) return null
  return (
    <span className={styles['count']}>
      <span className="visually-hidden">未読 </span>
      {unread > 99 ? '99+' : unread}
    </span>
  )
}
