import { useOnline } from '../../lib/use-online.ts'
import type { Link } from './link.ts'
import styles from './connection-state.module.css'

const words: Readonly<Record<Link['kind'], string>> = {
  off: '',
  connecting: '接続しています…',
  live: '自動更新中',
  reconnecting: '再接続しています…',
  polling: '数秒ごとに更新中',
}

/** How new posts reach this page, said calmly: nothing is lost in any of the states. */
export function ConnectionState({ link }: { link: Link }) {
  const offline = !useOnline() && link.kind !== 'off'
  return (
    <span className={styles['state']} data-link={offline ? 'offline' : link.kind} role="status">
      {offline ? 'オフライン' : words[link.kind]}
    </span>
  )
}
