import type { LikesChange } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { CategoryBar } from '../../app/layout/category-bar.tsx'
import { PageHead } from '../../app/page-head.tsx'
import { useSite } from '../../app/site-context.tsx'
import { LikeButton } from '../../features/likes/like-button.tsx'
import { Likes } from '../../features/likes/likes.tsx'
import { replaceLikes } from '../../features/likes/replace-likes.ts'
import { postsInfiniteQuery, type PostPages } from '../../features/posts/api.ts'
import { readPostRange, type PostRange } from '../../features/posts/post-address.ts'
import type { Position } from '../../features/posts/post-log.ts'
import type { PostSlots } from '../../features/posts/thread-context.ts'
import { ThreadRoom } from '../../features/posts/thread-room.tsx'
import { cachedWindow } from '../../features/posts/use-post-store.ts'
import { ReportButton } from '../../features/reports/report-button.tsx'
import { Reports } from '../../features/reports/reports.tsx'
import { threadQuery } from '../../features/threads/api.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { LoadingScreen } from '../../ui/loading-screen.tsx'
import { ThreadHeading } from './thread-heading.tsx'
import { threadDescription, threadJsonLd, threadPath } from './thread-meta.ts'
import styles from './thread-page.module.css'

/** What likes and reports add to a post. */
const slots: PostSlots = { Like: LikeButton, Report: ReportButton }

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
  const onLikes = useCallback(({ likes }: LikesChange) => replaceLikes(client, likes), [client])
  return (
    <>
      <ThreadHead
        key={`${threadPath(thread, range)} ${data === undefined}`}
        thread={thread}
        range={range}
        posts={data === undefined ? [] : cachedWindow(data).posts}
      />
      <CategoryBar category={thread.category} />
      <div className={`container ${styles['thread']}`}>
        <ThreadHeading thread={thread} />
        <Reports>
          <ThreadRoom
            threadId={thread._id}
            range={range}
            data={data}
            failed={posts.isError}
            onRetry={() => void posts.refetch()}
            position={thread}
            onPosition={onPosition}
            onLikes={onLikes}
            slots={slots}
          />
        </Reports>
      </div>
      <Likes />
    </>
  )
}

/** As it was when the page opened: a busy thread shall not rewrite the head with every post. */
function ThreadHead({ thread, range, posts }: { thread: Thread; range: PostRange; posts: readonly Post[] }) {
  const { publicUrl } = useSite()
  const [meta] = useState(() => ({
    title: thread.title,
    description: threadDescription(thread),
    path: threadPath(thread, range),
    image: thread.imageUrl,
    jsonLd: threadJsonLd(thread, posts, publicUrl),
  }))
  return <PageHead {...meta} type="article" />
}
