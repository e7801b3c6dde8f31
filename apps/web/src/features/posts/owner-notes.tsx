import type { OwnerAction } from '@shinobi/contract/owners'
import { DateTime } from '../../lib/date-time.tsx'
import styles from './owner-notes.module.css'
import { PostText } from './post-text.tsx'

/** What the opener of a thread added below post 1, each with its time. */
export function OwnerNotes({ notes }: { notes: readonly OwnerAction[] }) {
  return (
    <aside className={styles['notes']} aria-label="スレ主の追記">
      {notes.map(({ _id, at, text }) => (
        <div key={_id} className={styles['note']}>
          <p className={styles['meta']}>
            <b className={styles['label']}>スレ主の追記</b>
            <DateTime value={at} />
          </p>
          <PostText content={text ?? ''} plainLinks={undefined} />
        </div>
      ))}
    </aside>
  )
}
