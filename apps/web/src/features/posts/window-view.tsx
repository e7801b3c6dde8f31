import { PAGE_SIZE } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { useCallback, useEffect, useImperativeHandle, useRef, type Ref } from 'react'
import { useNavigate } from 'react-router'
import { useKeptPosition } from '../../lib/use-kept-position.ts'
import type { PostPages } from './api.ts'
import { ArrivalNews } from './arrival-news.tsx'
import { postPath, type PostRange } from './post-address.ts'
import { HeldPosts } from './held-posts.tsx'
import { PostList } from './post-list.tsx'
import type { Position } from './post-log.ts'
import type { PostStore } from './post-store.ts'
import { NewerLinks, OlderLinks } from './range-links.tsx'
import { scrollToPost } from './scroll-to-post.ts'
import { useAnchorKeeping } from './use-anchor-keeping.ts'
import { useEndless } from './use-endless.ts'
import { useFragment } from './use-fragment.ts'
import { cachedWindow, usePostStore } from './use-post-store.ts'
import { useReading } from './use-reading.ts'

/** What the room and its dock know of the window on screen. */
export interface WindowNews {
  readonly newest: number
  /** Posts that arrived and were not in view yet, and the first of them. */
  readonly unseen: number
  readonly firstUnseen: number
}

export interface WindowHandle {
  readonly store: PostStore
  readonly findPost: (number: number) => Post | undefined
  /** All that are loaded. */
  readonly posts: () => readonly Post[]
  /** Scrolls to a post, loading what lies between, or its page when that is far. */
  readonly show: (number: number, block: 'start' | 'end') => void
  /** False when that end is not in the window. */
  readonly jump: (to: 'first' | 'latest') => boolean
}

interface WindowViewProps {
  ref: Ref<WindowHandle>
  threadId: string
  range: PostRange
  /** The window's posts, from the query cache. */
  data: PostPages
  /** Where the thread stood when it was read. */
  position: Position
  onPosition: (position: Position) => void
  onNews: (news: WindowNews) => void
}

/** The posts of one window, endless at both ends. Give it a key of thread and range. */
export function WindowView({ ref, threadId, range, data, position, onPosition, onNews }: WindowViewProps) {
  const { start, posts } = cachedWindow(data)
  const last = start + posts.length
  const { store, view } = usePostStore(threadId, range, position, onPosition)
  const { newest, older, newer } = view
  const { baseline, unseen, firstUnseen } = useReading(newest, last)
  const navigate = useNavigate()

  const keepAnchor = useAnchorKeeping(start)
  const loadOlder = useCallback(() => void store.loadOlder(keepAnchor), [store, keepAnchor])
  const loadNewer = useCallback(() => void store.loadNewer(), [store])
  const { top, bottom } = useEndless(store, view, start, posts.length, loadOlder)
  const pages = Math.ceil(posts.length / PAGE_SIZE)
  const canLoadMore = last < newest && newer !== 'failed'
  const cameBack = useKeptPosition({ count: posts.length, pages, canLoadMore, loadMore: loadNewer })
  useFragment({ threadId, start, last, newest, follows: view.follows, cameBack })
  useEffect(() => onNews({ newest, unseen, firstUnseen }), [onNews, newest, unseen, firstUnseen])

  /** The own post, or the first new one: wanted now, shown as soon as it is there. */
  const wanted = useRef<{ number: number; block: 'start' | 'end' } | null>(null)
  useEffect(() => {
    if (wanted.current !== null && scrollToPost(wanted.current.number, wanted.current.block)) wanted.current = null
  }, [last])

  useImperativeHandle(ref, () => ({
    store,
    findPost: (number) => posts[number - start - 1],
    posts: () => posts,
    show(number, block) {
      if (scrollToPost(number, block)) return
      if (store.follow()) wanted.current = { number, block }
      else void navigate(postPath(threadId, number))
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
      <PostList posts={posts} baseline={baseline} />
      <NewerLinks threadId={threadId} last={last} newest={newest} loading={newer} onLoad={loadNewer} />
      {last >= newest && <HeldPosts threadId={threadId} posts={posts} />}
      <div ref={bottom} />
      <ArrivalNews newest={newest} unseen={unseen} />
    </>
  )
}
