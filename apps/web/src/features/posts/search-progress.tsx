import { messages } from '@shinobi/contract/messages'
import { Button } from '../../ui/button.tsx'
import { RetryIcon } from '../../ui/icons.tsx'
import styles from './search-progress.module.css'
import type { ThreadPosts } from './use-thread-posts.ts'

/** A line while the other posts of the thread are fetched, or when that failed. */
export function SearchProgress({ share, failed, onRetry }: Omit<ThreadPosts, 'posts'>) {
  if (failed) {
    return (
      <p className={styles['line']} role="alert">
        {messages.posts_failed}
        <Button size="sm" icon={<RetryIcon size={16} />} onClick={onRetry}>
          もう一度試す
        </Button>
      </p>
    )
  }
  if (share === 1) return null
  return (
    <p className={styles['line']}>
      <progress className={styles['bar']} value={share} aria-label="スレッド全体を調べています" />
      スレッド全体を調べています…
    </p>
  )
}
