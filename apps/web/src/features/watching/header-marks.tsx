import { useTitleCount } from '../../app/page-head.tsx'
import { HeaderCount } from '../notebook/header-count.tsx'
import { unreadAlerts } from './alerts.ts'
import styles from './header-marks.module.css'
import { useAlerts, useLooking } from './use-alerts.ts'
import { usePushInStep } from './use-push-in-step.ts'

/** At 帳面: the unread posts of the favourites, and the alerts that are not read. */
export function HeaderMarks() {
  useLooking(false)
  usePushInStep()
  const unread = unreadAlerts(useAlerts() ?? [])
  useTitleCount('alerts', unread)
  return (
    <>
      <HeaderCount />
      {unread > 0 && (
        <span className={styles['alerts']}>
          <span className="visually-hidden">新しい矢文 </span>
          {unread > 99 ? '99+' : unread}
        </span>
      )}
    </>
  )
}
