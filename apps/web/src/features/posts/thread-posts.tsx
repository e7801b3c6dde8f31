import { PAGE_SIZE } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useKeptPosition } from '../../lib/use-kept-position.ts'
import type { PostPages } from './api.ts'
import { ArrivalNews } from './arrival-news.tsx'
import type { ComposerHandle } from './composer.tsx'
import { postPath, type PostRange } from './post-address.ts'
import { PostList } from './post-list.tsx'
import type { Position } from './post-log.ts'
import { NewerLinks, OlderLinks } from './range-links.tsx'
import { scrollToPost } from './scroll-to-post.ts'
import { SlipLayer } from './slip-layer.tsx'
import { ThreadActionsProvider, type ThreadActions } from './thread-context.ts'
import { ThreadDock } from './thread-dock.tsx'
import { useAnchorKeeping } from './use-anchor-keeping.ts'
import { useEndless } from './use-endless.ts'
import { useFragment } from './use-fragment.ts'
import { useNickname } from './use-nickname.ts'
import { cachedWindow, usePostStore } from './use-post-store.ts'
import { useReading } from './use-reading.ts'
import { useThreadLine } from './use-thread-line.ts'

interface ThreadPostsProps {
  threadId: string
  range: PostRange
  /** The window's posts, from the query cache. */
  data: PostPages
  /** Where the thread stood when it was read. */
  position: Position
  /** The thread moved on. */
  onPosition: (position: Position) => void
}

/** The posts of a thread, live and endless, and the dock below. Give it a key of thread and range. */
export function ThreadPosts({ threadId, range, data, position, onPosition }: ThreadPostsProps) {
  const { start, posts } = cachedWindow(data)
  const last = start + posts.length
  const { store, view } = usePostStore(threadId, range, position, onPosition)
  const { newest, older, newer } = view
  const navigate = useNavigate()
  const composer = useRef<ComposerHandle>(null)
  const nickname = useNickname(threadId)
  const warn = useCallback((message: string) => composer.current?.warn(message), [])
  const { live, link } = useThreadLine(threadId, store, nickname.name ?? (nickname.proposal || null), warn)
  const reading = useReading(newest, last)

  const keepAnchor = useAnchorKeeping(start)
  const loadOlder = useCallback(() => {
    void store.loadOlder(keepAnchor)
  }, [store, keepAnchor])
  const loadNewer = useCallback(() => void store.loadNewer(), [store])
  const { top, bottom } = useEndless(store, view, start, posts.length, loadOlder)
  const pages = Math.ceil(posts.length / PAGE_SIZE)
  useKeptPosition({ count: posts.length, pages, canLoadMore: last < newest && newer === 'idle', loadMore: loadNewer })
  useFragment({ threadId, start, last, newest, follows: view.follows })

  const held = useRef({ start, posts })
  held.current = { start, posts }
  const actions = useMemo<ThreadActions>(() => {
    const findPost = (number: number) => held.current.posts[number - held.current.start - 1]
    return {
      threadId,
      findPost,
      goTo(number) {
        void navigate(findPost(number) === undefined ? postPath(threadId, number) : { ...location, hash: `#${number}` })
      },
      reply: (number) => composer.current?.quote(number),
    }
  }, [threadId, navigate])

  /** The own post, or the first new one: wanted now, shown as soon as it is there. */
  const wanted = useRef<{ number: number; block: 'start' | 'nearest' } | null>(null)
  useEffect(() => {
    if (wanted.current !== null && scrollToPost(wanted.current.number, wanted.current.block)) wanted.current = null
  }, [last])
  const show = (number: number, block: 'start' | 'nearest') => {
    if (scrollToPost(number, block)) return
    if (store.follow()) wanted.current = { number, block }
    else void navigate(postPath(threadId, number))
  }
  const onPosted = (post: Post) => {
    store.hear(post)
    show(post.number, 'nearest')
  }
  const onJump = (to: 'first' | 'latest') => {
    if (to === 'first') {
      if (start === 0) scrollTo({ top: 0 })
      return start === 0
    }
    return last >= newest && scrollToPost(last, 'nearest')
  }

  return (
    <ThreadActionsProvider value={actions}>
      <SlipLayer>
        <div ref={top} />
        <OlderLinks threadId={threadId} start={start} loading={older} onLoad={loadOlder} />
        <PostList posts={posts} baseline={reading.baseline} />
        <NewerLinks threadId={threadId} last={last} newest={newest} loading={newer} onLoad={loadNewer} />
        <div ref={bottom} />
        <ArrivalNews newest={newest} unseen={reading.unseen} />
        <ThreadDock
          composer={composer}
          threadId={threadId}
          live={live}
          link={link}
          nickname={nickname}
          newest={newest}
          unseen={reading.unseen}
          onUnseen={() => show(reading.firstUnseen, 'start')}
          onPosted={onPosted}
          onJump={onJump}
        />
      </SlipLayer>
    </ThreadActionsProvider>
  )
}
