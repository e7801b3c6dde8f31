import { categoryLabel } from '@shinobi/contract/category-labels'
import { messages } from '@shinobi/contract/messages'
import type { Thread } from '@shinobi/contract/threads'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { CategoryBar } from '../../app/layout/category-bar.tsx'
import { PageHead } from '../../app/page-head.tsx'
import { useSite } from '../../app/site-context.tsx'
import { postsInfiniteQuery, type PostPages } from '../../features/posts/api.ts'
import { isLatest, readPostRange, type PostRange } from '../../features/posts/post-address.ts'
import type { Position } from '../../features/posts/post-log.ts'
import { ThreadPosts } from '../../features/posts/thread-posts.tsx'
import { cachedWindow } from '../../features/posts/use-post-store.ts'
import { threadQuery } from '../../features/threads/api.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { LoadingScreen } from '../../ui/loading-screen.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import { ThreadHeading } from './thread-heading.tsx'
import { threadDescription, threadJsonLd, threadPath } from './thread-meta.ts'
import styles from './thread-page.module.css'

/** /thread/:threadId, with ?after= and ?last= for the part that is shown. */
export function ThreadPage() {
  const { threadId = '' } = useParams()
  const [parameters] = useSearchParams()
  const range = readPostRange(parameters)
  const thread = useQuery(threadQuery(threadId))
  if (thread.data === undefined) {
    if (thread.isError) return <ErrorBox message={thread.error.message} onRetry={() => void thread.refetch()} />
    return <LoadingScreen />
  }
  return <ThreadScreen key={threadId} thread={thread.data} range={range} />
}

function ThreadScreen({ thread, range }: { thread: Thread; range: PostRange }) {
  const { publicUrl } = useSite()
  const client = useQueryClient()
  const posts = useInfiniteQuery(postsInfiniteQuery(thread._id, range))
  // The store keeps more with the pages than the query's own type knows.
  const data = posts.data as PostPages | undefined
  const onPosition = useCallback(
    ({ postCount, revision }: Position) => {
      client.setQueryData(threadQuery(thread._id).queryKey, (known) => known && { ...known, postCount, revision })
    },
    [client, thread._id],
  )
  return (
    <>
      <PageHead
        title={thread.title}
        description={threadDescription(thread)}
        path={threadPath(thread, range)}
        image={thread.imageUrl}
        type="article"
        jsonLd={threadJsonLd(thread, data === undefined ? [] : cachedWindow(data).posts, publicUrl)}
      />
      <CategoryBar label={categoryLabel(thread.category)} />
      <div className={`container ${styles['thread']}`}>
        <ThreadHeading thread={thread} />
        {data !== undefined ? (
          <ThreadPosts
            key={isLatest(range) ? 'last' : range.after}
            threadId={thread._id}
            range={range}
            data={data}
            position={thread}
            onPosition={onPosition}
          />
        ) : posts.isError ? (
          <ErrorBox message={messages.posts_failed} onRetry={() => void posts.refetch()} />
        ) : (
          <div className={styles['waiting']}>
            <Spinner label="読み込み中" />
          </div>
        )}
      </div>
    </>
  )
}
