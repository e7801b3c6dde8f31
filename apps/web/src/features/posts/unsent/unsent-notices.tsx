import { useEffect, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../app/paths.ts'
import { cx } from '../../../ui/cx.ts'
import styles from '../../../ui/notice.module.css'
import { Notice, NoticeRegion, useTimedNotice } from '../../../ui/notice.tsx'
import { rangePath } from '../post-address.ts'
import { closeRefusal, noUnsentPosts, onUnsentNews, subscribeUnsent, unsentPosts } from './unsent.ts'

/** Where its thread is on screen, the writer sees the refusal there (unsent-posts.tsx). */
const UNSEEN_MS = 800

/** What became of posts that were sent later, wherever the visitor is. */
export function UnsentNotices() {
  const posts = useSyncExternalStore(subscribeUnsent, unsentPosts, noUnsentPosts)
  const { notice, show, clear } = useTimedNotice(5_000)
  useEffect(
    () =>
      onUnsentNews(({ post, sent }) => {
        if ('held' in sent) show(sent.held.message, 'info')
        // In its thread it appears by itself.
        else if (location.pathname !== paths.thread(post.threadId))
          show(`送信を待っていた書き込みを「${post.threadTitle}」に送りました。`, 'success')
      }),
    [show],
  )
  const refused = posts.find(({ refusal, isTold }) => refusal !== null && !isTold)
  const id = refused?.id
  const [dueId, setDueId] = useState<string>()
  useEffect(() => {
    const timer = setTimeout(setDueId, UNSEEN_MS, id)
    return () => clearTimeout(timer)
  }, [id])
  if (refused === undefined || dueId !== id) return <NoticeRegion notice={notice} onClose={clear} />
  return (
    <div className={cx(styles['region'], styles['tall'])}>
      <Notice key={refused.id} tone="error" onClose={() => void closeRefusal(refused.id)}>
        <p>
          「{refused.threadTitle}」への書き込みを送れませんでした。{refused.refusal}
        </p>
        <p className={styles['quote']}>{refused.content}</p>
        <Link to={rangePath(refused.threadId, { last: true })}>スレッドで直す</Link>
      </Notice>
    </div>
  )
}
