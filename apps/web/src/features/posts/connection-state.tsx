import type { Link } from './link.ts'
import styles from './connection-state.module.css'

const words: Readonly<Record<Link['kind'], string>> = {
  off: '',
  connecting: '接続しています…',
  live: '接続中',
  reconnecting: '再接続中…',
  polling: '定期更新中',
}

/** How new posts reach this page, said calmly: nothing is lost in any of the states. */
export function ConnectionState({ link }: { link: Link }) {
  return (
    <span className={styles['state']} data-link={link.kind} role="status">
      {words[link.kind]}
    </span>
  )
}
