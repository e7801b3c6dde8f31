import { Seal } from '../../ui/seal.tsx'
import styles from './thread-dock.module.css'

/** Where the words would be written: nobody can, and why. */
export function ClosedDock() {
  return (
    <p className={styles['closed']}>
      <Seal>ロック</Seal>
      <span>このスレッドはロック（書き込み停止）されています。読むことはできますが、書き込めません。</span>
    </p>
  )
}
