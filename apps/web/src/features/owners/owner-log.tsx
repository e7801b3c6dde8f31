import { inFigures } from '@shinobi/contract/in-figures'
import type { OwnerAction } from '@shinobi/contract/owners'
import { may } from '@shinobi/contract/permissions'
import type { Thread } from '@shinobi/contract/threads'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { DateTime } from '../../lib/date-time.tsx'
import { useRequest } from '../../lib/use-request.ts'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Tag } from '../../ui/seal.tsx'
import { useMember } from '../accounts/use-session.ts'
import { undoAction } from '../moderation/api.ts'
import { rereadThread } from '../threads/reread-thread.ts'
import { takeBackAsOwner } from './api.ts'
import styles from './owner-log.module.css'
import { useOwner } from './owners.tsx'

/**
 * スレ主の記録: all that the opener of a thread did in it. The opener and moderators take actions back
 * here.
 */
export function OwnerLog({ thread }: { thread: Thread }) {
  const { _id: threadId, categoryId, ownerActions } = thread
  const client = useQueryClient()
  const isOwner = useOwner() !== null
  const isModerator = may(useMember(), 'undo', categoryId)
  const { busy, problem, send } = useRequest()
  const takeBack = (id: string) =>
    void send(async () => {
      await (isModerator ? undoAction(id) : takeBackAsOwner(threadId, id))
      await rereadThread(client, threadId)
    })
  return (
    <details className={styles['log']}>
      <summary className={styles['summary']}>
        <span className={styles['name']}>スレ主の記録</span>
        <span className={styles['count']}>{inFigures(ownerActions.length)}</span>
      </summary>
      <ol className={styles['list']}>
        {ownerActions.map((action) => (
          <li key={action._id} className={styles['entry']}>
            <div className={styles['what']}>
              <DateTime value={action.at} className={styles['time']} />
              <What action={action} threadId={threadId} />
              {action.undone !== null && <Tag>{action.undone === 'staff' ? '運営が取り消し' : '取り消し'}</Tag>}
              {action.undone === null && (isModerator || (isOwner && action.kind !== 'close')) && (
                <TakeBack busy={busy} onConfirm={() => takeBack(action._id)} />
              )}
            </div>
            {action.text !== null && (
              <p className={styles['text']}>
                {action.kind !== 'note' && <span className={styles['label']}>理由：</span>}
                {action.text}
              </p>
            )}
          </li>
        ))}
      </ol>
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      <p className={styles['rules']}>
        スレッドを立てた人が、このスレッドで行ったことの記録です。行き過ぎた操作は運営が取り消します。最初の書き込みの「通報」からお知らせください。
      </p>
    </details>
  )
}

function What({ action: { kind, number, posterId }, threadId }: { action: OwnerAction; threadId: string }) {
  const post = number !== null && <Link to={paths.post(threadId, number)}>{`>>${number}`}</Link>
  switch (kind) {
    case 'note':
      return <b>追記</b>
    case 'fold':
      return (
        <span>
          {post} を<b>折りたたみ</b>
        </span>
      )
    case 'silence':
      return (
        <span className={styles['id']}>
          ID:{posterId}（{post}）を<b>その日の終わりまで停止</b>
        </span>
      )
    case 'close':
      return (
        <span>
          スレッドを<b>閉鎖</b>
        </span>
      )
  }
}

/** 取り消す asks once, in its own place. */
function TakeBack({ busy, onConfirm }: { busy: boolean; onConfirm: () => void }) {
  const [isAsking, setAsking] = useState(false)
  return (
    <p className={styles['ask']}>
      {isAsking ? (
        <>
          <Button size="sm" onClick={() => setAsking(false)}>
            やめる
          </Button>
          <Button size="sm" variant="danger" busy={busy} onClick={onConfirm}>
            本当に取り消す
          </Button>
        </>
      ) : (
        <Button size="sm" variant="ghost" onClick={() => setAsking(true)}>
          取り消す
        </Button>
      )}
    </p>
  )
}
