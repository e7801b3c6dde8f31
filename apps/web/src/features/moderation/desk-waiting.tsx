import { Failed } from '../../ui/failed.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import styles from './desk.module.css'

/** A desk whose list is not loaded yet. */
export function DeskWaiting({ query: { error, refetch } }: { query: { error: Error | null; refetch: () => unknown } }) {
  if (error !== null) return <Failed error={error} onRetry={() => void refetch()} />
  return (
    <div className={styles['waiting']}>
      <Spinner label="読み込んでいます" />
    </div>
  )
}
