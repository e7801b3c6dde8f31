import type { Pause } from '@shinobi/contract/shields'
import { Seal } from '../../ui/seal.tsx'
import styles from './pause-strip.module.css'

/** Nobody can write now, and why. It disappears when the board takes writes again. */
export function PauseStrip({ pause: { message, note } }: { pause: Pause }) {
  return (
    <aside className={styles['pause']} aria-label="書き込みの停止" role="status">
      <div className={`container ${styles['inner']}`}>
        <Seal tone="gold">閲覧のみ</Seal>
        <div className={styles['words']}>
          <p>{message}</p>
          {note !== '' && <p className={styles['note']}>{note}</p>}
        </div>
      </div>
    </aside>
  )
}
