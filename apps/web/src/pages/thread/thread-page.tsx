import type { LikesChange } from '@shinobi/contract/events'
import { may } from '@shinobi/contract/permissions'
import type { Post } from '@shinobi/contract/posts'
import type { SummaryKind, Thread } from '@shinobi/contract/threads'
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useState } from 'react'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { CategoryBar } from '../../app/layout/category-bar.tsx'
import { PageHead } from '../../app/page-head.tsx'
import { paths } from '../../app/paths.ts'
import { useSite } from '../../app/site-context.tsx'
import { Manage } from '../../features/moderation/manage.tsx'
import { rereadSummary } from '../../features/news/api.ts'
import { NOTICES_KEY, usePause } from '../../features/notices/api.ts'
import { ShieldNotice } from '../../features/shields/shield-notice.tsx'
import { Likes } from '../../features/likes/likes.tsx'
import { replaceLikes } from '../../features/likes/replace-likes.ts'
import { Owners } from '../../features/owners/owners.tsx'
import { forgetOtherPosts, postsInfiniteQuery, windowOf, type PostPages } from '../../features/posts/api.ts'
import { readPostRange, type PostRange } from '../../features/posts/post-address.ts'
import { useResume } from '../../features/posts/use-resume.ts'
import type { Position } from '../../features/posts/post-log.ts'
import type { Opening } from '../../features/posts/thread-context.ts'
import { ThreadRoom } from '../../features/posts/thread-room.tsx'
import { Reports } from '../../features/reports/reports.tsx'
import { threadQuery } from '../../features/threads/api.ts'
import { rereadThread } from '../../features/threads/reread-thread.ts'
import { ApiError } from '../../lib/api-client.ts'
import { useMember } from '../../features/accounts/use-session.ts'
import { Scripted } from '../../lib/use-scripted.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { LoadingScreen } from '../../ui/loading-screen.tsx'
import { deferred } from '../../lib/deferred.tsx'
import { OpeningSummary } from './opening-summary.tsx'
import { ThreadEnd } from './thread-life.tsx'
import { ThreadHeading } from './thread-heading.tsx'
import { NEWS_WRITERS, threadDescription, threadJsonLd, threadPath } from './thread-meta.ts'
import styles from './thread-page.module.css'

const KeepPage = deferred(async () => (await import('../../features/offline/keep-page.tsx')).KeepPage)
const OwnerLog = deferred(
  async () => (await import('../../features/owners/owner-log.tsx')).OwnerLog,
  'src/features/owners/owner-log.tsx',
)
const OldNotice = deferred(async () => (await import('../../features/offline/old-notice.tsx')).OldNotice)
const NextUnread = deferred(async () => (await import('../../features/notebook/next-unread.tsx')).NextUnread)

/** The name and the text of the opening post of a news thread, with its sources. */
const openingOf = (kind: SummaryKind): Opening => ({ name: NEWS_WRITERS[kind], Text: OpeningSummary })
const openings: Readonly<Record<SummaryKind, Opening>> = {
  ai: openingOf('ai'),
  extractive: openingOf('extractive'),
  headline: openingOf('headline'),
}

/** /thread/:threadId, with ?after= and ?last= for the window of posts. */
export function ThreadPage() {
  const { threadId = '' } = useParams()
  const [parameters] = useSearchParams()
  const range = readPostRange(parameters)
  const thread = useQuery(threadQuery(threadId))
  if (thread.data === undefined) {
    // Removed a moment ago: the navigation to the 404 screen has started.
    if (thread.error instanceof ApiError && thread.error.status === 404) return <LoadingScreen />
    if (thread.isError) return <ErrorBox message={thread.error.message} onRetry={() => void thread.refetch()} />
    return <LoadingScreen />
  }
  return <ThreadScreen key={threadId} thread={thread.data} range={range} isOld={thread.isError} />
}

interface ThreadScreenProps {
  thread: Thread
  range: PostRange
  /** The server could not be asked: the thread is shown as this browser knew it. */
  isOld: boolean
}

function ThreadScreen({ thread, range, isOld }: ThreadScreenProps) {
  const client = useQueryClient()
  const paused = usePause()
  const member = useMember()
  const resumed = useResume(thread._id, range, thread.postCount)
  const posts = useInfiniteQuery(postsInfiniteQuery(thread._id, resumed.range))
  // The store adds fields to the pages that the query's type does not have.
  const data = posts.data as PostPages | undefined
  const reread = useReread(thread._id)
  const onChange = useOnChange(thread._id, reread)
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
        // Mounted anew after changes other than new posts, because the metadata quotes posts.
        key={`${threadPath(thread, range)} ${data === undefined} ${changesOf(data?.known ?? thread)}`}
        thread={thread}
        range={range}
        posts={data === undefined ? [] : windowOf(data).posts}
      />
      <CategoryBar category={thread.category} />
      <ShieldNotice category={thread.category} />
      <div className={`container ${styles['thread']}`}>
        <Owners thread={thread}>
          <ThreadHeading thread={thread} />
          {thread.ownerActions.length > 0 && <OwnerLog thread={thread} />}
          {isOld && <OldNotice reread={reread} />}
          <Reports>
            <Manage place={place}>
              <ThreadRoom
                thread={thread}
                range={resumed.range}
                resumed={resumed}
                data={data}
                failed={posts.isError}
                onRetry={() => void posts.refetch()}
                mayWriteAsStaff={may(member, 'writeAsStaff', thread.categoryId)}
                paused={paused}
                onPosition={onPosition}
                onLikes={onLikes}
                onNotices={onNotices}
                onMissed={reread}
                onGone={onChange}
                opening={thread.summary === null ? null : openings[thread.summary]}
                end={
                  <>
                    <ThreadEnd thread={thread} />
                    <Scripted>
                      <NextUnread threadId={thread._id} />
                      {data !== undefined && resumed.isSettled && <KeepPage thread={thread} data={data} />}
                    </Scripted>
                  </>
                }
              />
            </Manage>
          </Reports>
        </Owners>
      </div>
      <Likes />
    </>
  )
}

/** Number of changes other than new posts. */
const changesOf = ({ postCount, revision }: Position): number => revision - postCount

/** Fetches the thread again, and leads to the 404 screen when it has been removed. */
function useReread(threadId: string): () => void {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useCallback(() => {
    void rereadThread(client, threadId).then((stays) => {
      if (!stays) void navigate({ pathname: location.pathname, search: location.search }, { replace: true })
    })
  }, [client, navigate, threadId])
}

/** Handles a change of the thread: refetches all its cached data. */
function useOnChange(threadId: string, reread: () => void): () => void {
  const client = useQueryClient()
  return useCallback(() => {
    forgetOtherPosts(client, threadId)
    void rereadSummary(client, threadId)
    reread()
  }, [client, threadId, reread])
}

/**
 * Metadata at the time of mounting: new posts in a busy thread must not rewrite the head each time.
 */
function ThreadHead({ thread, range, posts }: { thread: Thread; range: PostRange; posts: readonly Post[] }) {
  const { publicUrl } = useSite()
  const [meta] = useState(() => ({
    title: thread.title,
    description: threadDescription(thread),
    path: threadPath(thread, range),
    card: paths.card(thread._id),
    jsonLd: threadJsonLd(thread, posts, publicUrl),
  }))
  return <PageHead {...meta} type="article" />
}
