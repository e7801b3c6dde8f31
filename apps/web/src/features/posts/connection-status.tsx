import { useOnline } from '../../lib/use-online.ts'
import type { ConnectionState } from './connection-state.ts'
import styles from './connection-status.module.css'

const words: Readonly<Record<ConnectionState['kind'], string>> = {
  off: '',
  connecting: '接続しています…',
  live: '自動更新中',
  reconnecting: '再接続しています…',
  polling: '数秒ごとに更新中',
}

interface ConnectionStatusProps {
  state: ConnectionState
  /** The view stays at the newest post. */
  follows: boolean
}

/** How new posts reach this page, in neutral words: no post is lost in any of the states. */
export function ConnectionStatus({ state, follows }: ConnectionStatusProps) {
  const offline = !useOnline() && state.kind !== 'off'
  return (
    <span className={styles['state']} data-connection={offline ? 'offline' : state.kind} role="status">
      {offline ? 'オフライン' : follows && state.kind === 'live' ? '実況中' : words[state.kind]}
    </span>
  )
}
