import { Fragment } from 'react'
import styles from './excerpt.module.css'

/**
 * An excerpt with marked hits: every second part is one. Without parts the text is not shown,
 * because its post is folded.
 */
export function Excerpt({ parts }: { parts: readonly string[] }) {
  if (parts.length === 0) return <span>通報が多いため折りたたんでいます</span>
  return (
    <span>
      {parts.map((part, index) =>
        index % 2 === 1 ? (
          // oxlint-disable-next-line react/no-array-index-key -- parts have no other identity and never move
          <mark key={index} className={styles['hit']}>
            {part}
          </mark>
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- as above
          <Fragment key={index}>{part}</Fragment>
        ),
      )}
    </span>
  )
}
