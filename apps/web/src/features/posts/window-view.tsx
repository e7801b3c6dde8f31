import { PAGE_SIZE } from '@shinobi/contract/limits'
import type { OwnerAction } from '@shinobi/contract/owners'
import type { Post } from '@shinobi/contract/posts'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import {
  useCallback,
  useDeferredValue,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type Ref,
} from 'react'
import { useNavigate } from 'react-router'
import { useTitleCount } from '../../app/page-head.tsx'
import { useKeptPosition } from '../../lib/use-kept-position.ts'
import { useOwnPosts } from '../reading/own-posts.ts'
import { useReadThrough } from '../reading/use-read-through.ts'
import type { VisitedThread } from '../reading/visit.ts'
import { AnchorKeeper } from './anchor-keeper.ts'
import { answersQuery } from './answers-query.ts'
import { fetchPosition, fetchPosts, pagesOf, positionOf, postKeys, windowOf, type PostPages } from './api.ts'
import { ArrivalNews } from './arrival-news.tsx'
import { withAnswers } from './back-links.ts'
import { isLatest, latestPath, postPath, type PostRange } from './post-address.ts'
import { HeldPosts } from './held-posts.tsx'
import { PostList } from './post-list.tsx'
import type { Position } from './post-log.ts'
import { PostStore, type PostWindow, type StoreView } from './post-store.ts'
import { NewerLinks, OlderLinks } from './range-links.tsx'
import { postElement, scrollToPost } from './scroll-to-post.ts'
import { useEndless } from './use-endless.ts'
import { useFollowing } from './use-following.ts'
import { useFragment } from './use-fragment.ts'
import { useReading } from './use-reading.ts'
import { useUnsent } from './unsent/use-unsent.ts'
import { UnsentPosts } from './unsent/unsent-posts.tsx'
import type { Resumed } from './use-resume.ts'

/** State of the window on screen for the room and its dock. */
export interface WindowNews {
  readonly newest: number
  /** Posts that arrived and were not in view yet, and the first of them. */
  readonly unseen: number
  readonly firstUnseen: number
}

export interface WindowHandle {
  readonly store: PostStore
  readonly findPost: (number: number) => Post | undefined
  /** All loaded posts. */
  readonly posts: () => readonly Post[]
  /**
   * Scrolls to a post, loading the posts between, or its page when that is far. With `takesFocus`
   * the post gets the focus as well.
   */
  readonly show: (number: number, block: 'start' | 'end', takesFocus?: boolean) => void
  /** Returns false when that end is not in the window. */
  readonly jump: (to: 'first' | 'latest') => boolean
}

interface WindowViewProps {
  ref: Ref<WindowHandle>
  thread: VisitedThread
  range: PostRange
  resumed: Resumed
  /** The window's posts, from the query cache. */
  data: PostPages
  /** The thread's position when it was read. */
  position: Position
  onPosition: (position: Position) => void
  onNews: (news: WindowNews) => void
  /** Number of the last post that was seen, which the windows of a thread share. */
  lastSeen: number | null
  /** Stable. */
  onSeen: (number: number) => void
  /** Of the opener, below post 1. */
  notes: readonly OwnerAction[]
  /** The view stays at the newest post. */
  follows: boolean
  /** The reader turned to something else meanwhile. */
  onPause: () => void
}

function createStore(
  client: QueryClient,
  threadId: string,
  range: PostRange,
  thread: Position,
  onPosition: (position: Position) => void,
): PostStore {
  const key = postKeys.window(threadId, isLatest(range) ? 'last' : range.after)
  const data = () => client.getQueryData<PostPages>(key)
  const first = data()
  let last: PostWindow = first === undefined ? { start: 0, posts: [] } : windowOf(first)
  return new PostStore(
    {
      read() {
        const now = data()
        if (now !== undefined) last = windowOf(now)
        return last
      },
      write(window, known) {
        last = window
        client.setQueryData<PostPages>(key, pagesOf(window, known))
      },
      fetchPosts: (query) => fetchPosts(threadId, query),
      fetchPosition: () => fetchPosition(threadId),
      onPost: (post) =>
        client.setQueryData(answersQuery(threadId).queryKey, (known) => known && withAnswers(known, [post])),
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      onPosition,
    },
    positionOf(client, threadId, key, thread),
  )
}

/** The store of a window whose posts are already in the query cache. */
function usePostStore(
  threadId: string,
  range: PostRange,
  thread: Position,
  onPosition: (position: Position) => void,
): { store: PostStore; view: StoreView } {
  const client = useQueryClient()
  const [store] = useState(() => createStore(client, threadId, range, thread, onPosition))
  const view = useSyncExternalStore(store.subscribe, store.view, store.view)
  const { postCount, revision } = thread
  useEffect(() => {
    store.open()
    return () => store.close()
  }, [store])
  useEffect(() => store.learn({ postCount, revision }), [store, postCount, revision])
  return { store, view }
}

/**
 * The posts of one window, endless at both ends. Use thread and range as its key: one window, one
 * store.
 */
export function WindowView({
  ref,
  thread,
  range,
  resumed,
  data,
  position,
  onPosition,
  onNews,
  lastSeen,
  onSeen,
  notes,
  follows,
  onPause,
}: WindowViewProps) {
  const { _id: threadId } = thread
  // A page of posts is rendered in small steps, so that a slow phone scrolls on meanwhile.
  const shown = useDeferredValue(data)
  const { start, posts } = windowOf(shown)
  const last = start + posts.length
  const { store, view } = usePostStore(threadId, range, position, onPosition)
  const { newest, older, newer } = view
  const unsent = useUnsent(threadId)
  const own = useOwnPosts(threadId)
  const { baseline, unseen, firstUnseen } = useReading({ newest, start, last, own, lastSeen, onSeen })
  const navigate = useNavigate()

  const loadOlder = useCallback(() => void store.loadOlder(), [store])
  const loadNewer = useCallback(() => void store.loadNewer(), [store])
  const { top, bottom } = useEndless({ view, shown, isBehind: shown !== data, start, loadOlder, loadNewer })
  const pages = Math.ceil(posts.length / PAGE_SIZE)
  const canLoadMore = last < newest && newer !== 'failed'
  const { line, goToLine, isSettled } = resumed
  const cameBack = useKeptPosition({
    count: posts.length,
    pages,
    canLoadMore,
    loadMore: loadNewer,
    awaitsRows: !isSettled,
  })
  useFragment({ threadId, start, last, newest, follows: view.follows, cameBack })
  useEffect(() => onNews({ newest, unseen, firstUnseen }), [onNews, newest, unseen, firstUnseen])
  useTitleCount('posts', unseen)
  useFollowing({
    isOn: follows,
    last,
    onStart: () => {
      if (!store.follow()) void navigate(latestPath(threadId, newest))
    },
    onPause,
  })
  const list = useRef<HTMLDivElement>(null)
  useReadThrough({ thread, list, newest, last, isSettled })
  useLayoutEffect(() => {
    // With nothing unread below it, the line is at the bottom: new posts appear under it.
    goToLine(line < newest ? 'start' : 'end')
  }, [goToLine, line, newest])

  /** The own post, or the first new one: requested now, shown as soon as it is loaded. */
  const wanted = useRef<{ number: number; block: 'start' | 'end'; takesFocus: boolean } | null>(null)
  const showWanted = () => {
    if (wanted.current === null) return true
    const { number, block, takesFocus } = wanted.current
    if (!scrollToPost(number, block)) return false
    if (takesFocus) postElement(number)?.focus({ preventScroll: true })
    wanted.current = null
    return true
  }
  useEffect(() => void showWanted(), [last])

  useImperativeHandle(ref, () => ({
    store,
    findPost: (number) => posts[number - start - 1],
    posts: () => posts,
    show(number, block, takesFocus = false) {
      wanted.current = { number, block, takesFocus }
      if (showWanted() || store.follow()) return
      wanted.current = null
      void navigate(postPath(threadId, number))
    },
    jump(to) {
      if (to === 'latest') return last >= newest && scrollToPost(last, 'end')
      if (start === 0) scrollTo({ top: 0 })
      return start === 0
    },
  }))

  return (
    <>
      <div ref={top} />
      <OlderLinks threadId={threadId} start={start} loading={older} onLoad={loadOlder} />
      <AnchorKeeper start={start} />
      <PostList
        ref={list}
        threadId={threadId}
        posts={posts}
        newest={newest}
        baseline={baseline}
        line={line}
        notes={notes}
      />
      <NewerLinks threadId={threadId} last={last} newest={newest} loading={newer} onLoad={loadNewer} />
      {last >= newest && <HeldPosts threadId={threadId} posts={posts} />}
      {last >= newest && unsent.length > 0 && <UnsentPosts posts={unsent} />}
      <div ref={bottom} />
      <ArrivalNews newest={newest} unseen={unseen} own={own} />
    </>
  )
}
