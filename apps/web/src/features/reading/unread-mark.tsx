import { inFigures } from '@shinobi/contract/in-figures'
import { cx } from '../../ui/cx.ts'
import { unreadOf } from './unread.ts'
import styles from './unread-mark.module.css'
import { useRecord } from './use-record.ts'

interface UnreadMarkProps {
  threadId: string
  postCount: number
  className?: string | undefined
}

/**
 * +n for a thread that this browser has opened, in room that is always reserved. `data-unread` is
 * the number, 0 for a thread that is read to its end; a thread that was never opened has none. The
 * row styles itself by it: `.row:has([data-unread='0'])`.
 */
export function UnreadMark({ threadId, postCount, className }: UnreadMarkProps) {
  const unread = useRecord(threadId, (record) => unreadOf(record, postCount))
  return (
    <span className={cx(styles['mark'], className)} data-unread={unread ?? undefined}>
      {unread === 0 && <span className="visually-hidden">既読</span>}
      {unread !== null && unread > 0 && (
        <>
          <span className="visually-hidden">未読 </span>+{inFigures(unread)}
        </>
      )}
    </span>
  )
}
