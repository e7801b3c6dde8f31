import { labelDecision } from '@shinobi/contract/audit-labels'
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { DateTime } from '../../lib/date-time.tsx'
import { onQueueChanged } from './queue-changes.ts'
import { useRequest } from '../../lib/use-request.ts'
import { useMember } from '../accounts/use-session.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty.tsx'
import { Failed } from '../../ui/failed.tsx'
import { MoreButton } from '../../ui/more-button.tsx'
import { NewTabLink } from '../../ui/new-tab-link.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Tag } from '../../ui/seal.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { closedCasesQuery, undoAction } from './api.ts'
import { keyOfCase } from './case-list.tsx'
import { postHref } from './case-view.tsx'
import styles from './closed-cases.module.css'
import { textOfPost } from './text-of-post.ts'

/** Decided cases, newest first, with a button to undo each. */
export function ClosedCases() {
  const client = useQueryClient()
  const userId = useMember()?._id ?? ''
  const query = useInfiniteQuery(closedCasesQuery(userId))
  const { busy, problem, send } = useRequest()
  const [undoing, setUndoing] = useState<string | null>(null)
  useEffect(
    () => onQueueChanged(() => void client.invalidateQueries({ queryKey: closedCasesQuery(userId).queryKey })),
    [client, userId],
  )
  if (query.data === undefined) {
    if (query.isError) return <Failed error={query.error} onRetry={() => void query.refetch()} />
    return (
      <div className={styles['waiting']}>
        <Spinner label="読み込んでいます" />
      </div>
    )
  }
  const cases = query.data.pages.flatMap((page) => page.cases)
  if (cases.length === 0)
    return (
      <EmptyState title="対応した通報はまだありません。">
        <p>対応を決めると、ここに並びます。間違いは、ここから取り消せます。</p>
      </EmptyState>
    )
  const undo = (actionId: string) => {
    setUndoing(actionId)
    void send(async () => {
      await undoAction(actionId)
      await client.invalidateQueries({ queryKey: ['admin', userId, 'cases'] })
    })
  }
  return (
    <>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      <ol className={styles['list']}>
        {cases.map((one) => (
          <li key={keyOfCase(one)} className={styles['case']}>
            <p className={styles['what']}>
              <Tag>{labelDecision(one.decision)}</Tag>
              <NewTabLink href={postHref(one)}>
                {one.thread.title} &gt;&gt;{one.post.number}
              </NewTabLink>
            </p>
            <p className={styles['text']}>{textOfPost(one.post)}</p>
            <p className={styles['facts']}>
              <span>通報{one.reportCount}件</span>
              {one.decidedBy !== null && <span>{one.decidedBy}</span>}
              {one.decidedAt !== null && <DateTime value={one.decidedAt} />}
              {one.note !== '' && <span>メモ：{one.note}</span>}
            </p>
            {one.actionId !== null && (
              <Button
                size="sm"
                variant="ghost"
                className={styles['undo']}
                busy={busy && undoing === one.actionId}
                disabled={busy && undoing !== one.actionId}
                onClick={() => undo(one.actionId ?? '')}
              >
                取り消す
                <span className="visually-hidden">
                  （{one.thread.title} の {one.post.number}）
                </span>
              </Button>
            )}
          </li>
        ))}
      </ol>
      <MoreButton query={query} />
    </>
  )
}
