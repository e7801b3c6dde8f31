import type { Pause } from '@shinobi/contract/shields'
import { Seal } from '../../ui/seal.tsx'
import { Strip } from '../../ui/strip.tsx'
import styles from './pause-strip.module.css'

/** Says that posting is paused, and why. It disappears when the board accepts posts again. */
export function PauseStrip({ pause: { message, note } }: { pause: Pause }) {
  return (
    <Strip label="書き込みの停止" role="status" tone="gold" lead={<Seal tone="gold">閲覧のみ</Seal>}>
      <p>{message}</p>
      {note !== '' && <p className={styles['note']}>{note}</p>}
    </Strip>
  )
}
