import { useSyncExternalStore } from 'react'
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
  const online = useSyncExternalStore(followNetwork, isOnline, () => true)
  const offline = !online && link.kind !== 'off'
  return (
    <span className={styles['state']} data-link={offline ? 'offline' : link.kind} role="status">
      {offline ? 'オフライン' : words[link.kind]}
    </span>
  )
}

const isOnline = () => navigator.onLine

function followNetwork(listener: () => void): () => void {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
