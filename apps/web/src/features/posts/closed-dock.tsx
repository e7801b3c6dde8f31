import { Seal } from '../../ui/seal.tsx'
import styles from './thread-dock.module.css'

/** Where the words would be written: nobody can, and why. */
export function ClosedDock() {
  return (
    <p className={styles['closed']}>
      <Seal>施錠</Seal>
      <span>このスレッドは施錠されています。読むことはできますが、書き込めません。</span>
    </p>
  )
}
