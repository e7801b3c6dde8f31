import { cx } from '../../ui/cx.ts'
import styles from './desk.module.css'
import type { DeskNews } from './use-desk.ts'

/** What just happened: read out, and there to be seen until the next thing happens. */
export function DeskNewsLine({ news }: { news: DeskNews }) {
  return (
    <p className={cx(styles['news'], news.tone === 'error' && styles['bad'])} role="status">
      {/* With a key: the same words said twice are two pieces of news. */}
      <span key={news.turn}>{news.words}</span>
    </p>
  )
}
