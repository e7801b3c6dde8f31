import type { LikesChange } from '@shinobi/contract/events'
import type { Post } from '@shinobi/contract/posts'
import type { SummaryKind, Thread } from '@shinobi/contract/threads'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { CategoryBar } from '../../app/layout/category-bar.tsx'
import { PageHead } from '../../app/page-head.tsx'
import { useSite } from '../../app/site-context.tsx'
import { Manage, ManageButton } from '../../features/moderation/manage.tsx'
import { rereadSummary } from '../../features/news/api.ts'
import { NOTICES_KEY, usePause } from '../../features/notices/api.ts'
import { ShieldNotice } from '../../features/notices/shield-notice.tsx'
import { LikeButton } from '../../features/likes/like-button.tsx'
import { Likes } from '../../features/likes/likes.tsx'
import { replaceLikes } from '../../features/likes/replace-likes.ts'
import { forgetOtherPosts, postsInfiniteQuery, type PostPages } from '../../features/posts/api.ts'
import { readPostRange, type PostRange } from '../../features/posts/post-address.ts'
import type { Position } from '../../features/posts/post-log.ts'
import type { PostSlots } from '../../features/posts/thread-context.ts'
import { ThreadRoom } from '../../features/posts/thread-room.tsx'
import { cachedWindow } from '../../features/posts/use-post-store.ts'
import { ReportButton } from '../../features/reports/report-button.tsx'
import { Reports } from '../../features/reports/reports.tsx'
import { threadQuery } from '../../features/threads/api.ts'
import { rereadThread } from '../../features/threads/reread-thread.ts'
import { ApiError } from '../../lib/api-client.ts'
import { mayWriteAsStaff } from '../../lib/runs-board.ts'
import { useMember } from '../../lib/use-session.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { LoadingScreen } from '../../ui/loading-screen.tsx'
import { OpeningSummary } from './opening-summary.tsx'
import { ThreadHeading } from './thread-heading.tsx'
import { NEWS_WRITERS, threadDescription, threadJsonLd, threadPath } from './thread-meta.ts'
import styles from './thread-page.module.css'

/** What likes, reports and moderation add to a post. */
const slots: PostSlots = { Like: LikeButton, Report: ReportButton, Manage: ManageButton, opening: null }
/** The same in a news thread, whose opening post shows what it rests on. */
const newsSlots = (kind: SummaryKind): PostSlots => ({
  ...slots,
  opening: { name: NEWS_WRITERS[kind], Text: OpeningSummary },
})
const slotsOf: Readonly<Record<SummaryKind | 'none', PostSlots>> = {
  none: slots,
  ai: newsSlots('ai'),
  extractive: newsSlots('extractive'),
  headline: newsSlots('headline'),
}

/** /thread/:threadId, with ?after= and ?last= for the part that is shown. */
export function ThreadPage() {
  const { threadId = '' } = useParams()
  const [parameters] = useSearchParams()
  const range = readPostRange(parameters)
  const thread = useQuery(threadQuery(threadId))
  if (thread.data === undefined) {
    // Removed a moment ago: the way to the 404 screen is open already.
    if (thread.error instanceof ApiError && thread.error.status === 404) return <LoadingScreen />
    if (thread.isError) return <ErrorBox message={thread.error.message} onRetry={() => void thread.refetch()} />
    return <LoadingScreen />
  }
  return <ThreadScreen key={threadId} thread={thread.data} range={range} />
}

function ThreadScreen({ thread, range }: { thread: Thread; range: PostRange }) {
  const client = useQueryClient()
  const paused = usePause()
  const member = useMember()
  const posts = useInfiniteQuery(postsInfiniteQuery(thread._id, range))
  // The store keeps more with the pages than the query's own type knows.
  const data = posts.data as PostPages | undefined
  const onChange = useOnChange(thread._id)
  const onPosition = useCallback(
    ({ postCount, revision }: Position) => {
      const { queryKey } = threadQuery(thread._id)
      const known = client.getQueryData(queryKey)
      if (known === undefined) return
      client.setQueryData(queryKey, { ...known, postCount, revision })
      if (changesOf({ postCount, revision }) > changesOf(known)) onChange()
    },
    [client, thread._id, onChange],
  )
  const onNotices = useCallback(() => void client.invalidateQueries({ queryKey: NOTICES_KEY }), [client])
  const onLikes = useCallback(({ likes }: LikesChange) => replaceLikes(client, likes), [client])
  const { _id: threadId, title: threadTitle, categoryId, category } = thread
  const place = { threadId, threadTitle, categoryId, category }
  return (
    <>
      <ThreadHead
        // What it says of posts goes with them.
        key={`${threadPath(thread, range)} ${data === undefined} ${changesOf(data?.known ?? thread)}`}
        thread={thread}
        range={range}
        posts={data === undefined ? [] : cachedWindow(data).posts}
      />
      <CategoryBar category={thread.category} />
      <ShieldNotice category={thread.category} />
      <div className={`container ${styles['thread']}`}>
        <ThreadHeading thread={thread} />
        <Reports>
          <Manage place={place}>
            <ThreadRoom
              threadId={thread._id}
              range={range}
              data={data}
              failed={posts.isError}
              onRetry={() => void posts.refetch()}
              position={thread}
              locked={thread.locked}
              mayWriteAsStaff={mayWriteAsStaff(member, thread.categoryId)}
              paused={paused}
              onPosition={onPosition}
              onLikes={onLikes}
              onNotices={onNotices}
              onGone={onChange}
              slots={slotsOf[thread.summary ?? 'none']}
            />
          </Manage>
        </Reports>
      </div>
      <Likes />
    </>
  )
}

/** Changes of the thread other than new posts. */
const changesOf = ({ postCount, revision }: Position): number => revision - postCount

/** Something about the thread changed: what is kept of it is read again, and when it is gone this page is, too. */
function useOnChange(threadId: string): () => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useCallback(() => {
    forgetOtherPosts(client, threadId)
    void rereadSummary(client, threadId)
    void rereadThread(client, threadId).then((stays) => {
      if (!stays) void navigate({ pathname: location.pathname, search: location.search }, { replace: true })
    })
  }, [client, navigate, threadId])
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
