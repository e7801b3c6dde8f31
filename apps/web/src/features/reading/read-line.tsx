import styles from './read-line.module.css'

/** The line between what was read before this visit and what is unread. */
export function ReadLine() {
  return (
    <p className={styles['line']} data-read-line="">
      <span className={styles['words']}>ここまで読んだ</span>
    </p>
  )
}
