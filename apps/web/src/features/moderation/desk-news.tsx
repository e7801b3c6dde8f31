import { cx } from '../../ui/cx.ts'
import styles from './desk.module.css'
import type { DeskNews } from './use-desk.ts'

/** The last event: announced to screen readers, and visible until the next one. */
export function DeskNewsLine({ news }: { news: DeskNews }) {
  return (
    <p className={cx(styles['news'], news.tone === 'error' && styles['bad'])} role="status">
      {/* With a key, so that the same message is announced again when it repeats. */}
      <span key={news.turn}>{news.words}</span>
    </p>
  )
}
