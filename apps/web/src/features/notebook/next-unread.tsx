import { useMemo } from 'react'
import { inFigures } from '@shinobi/contract/in-figures'
import { paths } from '../../app/paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { ChevronIcon } from '../../ui/icons.tsx'
import styles from './next-unread.module.css'
import { isListed, nextUnread } from './rows.ts'
import { usePositions } from './use-positions.ts'
import { useRecords } from './use-records.ts'

/** At the end of a thread: a link to the next unread favourite, if there is one. */
export function NextUnread({ threadId }: { threadId: string }) {
  const known = useRecords()
  const records = useMemo(() => (typeof known === 'string' ? [] : known), [known])
  const favourites = useMemo(() => records.filter((record) => isListed(record, 'favourites')), [records])
  const { positions } = usePositions(favourites, false)
  const next = useMemo(() => nextUnread(records, positions, threadId), [records, positions, threadId])
  if (next === null) return null
  return (
    <p className={styles['next']}>
      <ButtonLink to={paths.thread(next.threadId)} size="sm" icon={<ChevronIcon size={16} direction="down" />}>
        次の未読へ
      </ButtonLink>
      <span className={`meta ${styles['title']}`}>{next.title}</span>
      <span className={styles['count']}>+{inFigures(next.unread)}</span>
    </p>
  )
}
