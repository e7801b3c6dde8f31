import { useMemo } from 'react'
import styles from './header-count.module.css'
import { rowsOf, unreadIn } from './rows.ts'
import { useRecords } from './use-records.ts'

const NO_POSITIONS = new Map<string, never>()

/** The unread posts of the favourites, as far as this browser knows. */
export function HeaderCount() {
  const records = useRecords()
  const unread = useMemo(
    () => (typeof records === 'string' ? 0 : unreadIn(rowsOf(records, NO_POSITIONS, 'favourites'))),
    [records],
  )
  if (unread === 0) return null
  return (
    <span className={styles['count']}>
      <span className="visually-hidden">未読 </span>
      {unread > 99 ? '99+' : unread}
    </span>
  )
}
