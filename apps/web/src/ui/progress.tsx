import styles from './progress.module.css'

/** The progress of an upload or another task, from 0 to 1. */
export function ProgressBar({ value, label }: { value: number; label: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, value)) * 100)
  return (
    <div className={styles['progress']}>
      <progress className={styles['bar']} max={100} value={percent} aria-label={label} />
      <span className={styles['figure']} aria-hidden="true">
        {percent}%
      </span>
    </div>
  )
}
