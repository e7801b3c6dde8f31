import type { LikesChange } from '@shinobi/contract/events'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSession } from '../../lib/use-session.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { PostPages } from './api.ts'
import type { ComposerHandle } from './composer.tsx'
import { createNewestNumber } from './newest-number.ts'
import { isLatest, postPath, type PostRange } from './post-address.ts'
import styles from './post-list.module.css'
import type { Position } from './post-log.ts'
import { SlipLayer } from './slip-layer.tsx'
import { ThreadActionsProvider, type PostSlots, type ThreadActions } from './thread-context.ts'
import { ThreadDock } from './thread-dock.tsx'
import { useNickname } from './use-nickname.ts'
import { useThreadLine } from './use-thread-line.ts'
import { viewImage } from './view-image.ts'
import { WindowView, type WindowHandle, type WindowNews } from './window-view.tsx'

interface ThreadRoomProps {
  threadId: string
  range: PostRange
  /** The window's posts; undefined while they are fetched, or when that failed. */
  data: PostPages | undefined
  failed: boolean
  onRetry: () => void
  /** Where the thread stood when it was read. */
  position: Position
  /** Nobody may write into it. */
  locked: boolean
  /** Whoever is here may write under the seal of those who run the board. */
  mayWriteAsStaff: boolean
  /** Why nobody can write anywhere now; null while the board takes posts. */
  paused: string | null
  /** The thread moved on. */
  onPosition: (position: Position) => void
  /** Others like; this and `slots` stay the same. */
  onLikes: (change: LikesChange) => void
  /** What every visitor is told has changed; stays the same, too. */
  onNotices: () => void
  /** The thread is not there any more. */
  onGone: () => void
  slots: PostSlots
}

/**
 * A thread with its live line and its dock; they stay while the reader goes from one window of posts to another.
 * Give it a key of the thread.
 */
export function ThreadRoom({
  threadId,
  range,
  data,
  slots,
  position,
  locked,
  paused,
  onPosition,
  ...rest
}: ThreadRoomProps) {
  const navigate = useNavigate()
  const composer = useRef<ComposerHandle>(null)
  const view = useRef<WindowHandle>(null)
  const [news, setNews] = useState<WindowNews>({ newest: position.postCount, unseen: 0, firstUnseen: 0 })
  const [newest] = useState(() => createNewestNumber(position.postCount))
  useEffect(() => newest.set(news.newest), [newest, news.newest])
  const { status, user } = useSession()
  const isGuest = status === 'out'
  const nickname = useNickname(threadId, isGuest)
  const warn = useCallback((message: string) => composer.current?.warn(message), [])
  const guest = isGuest ? { name: nickname.chosen ?? null, isLoggedIn: false } : null
  const { live, link } = useThreadLine({
    threadId,
    view,
    // While a session is being looked at nobody is here: whoever it is would have to be told apart again.
    self: status === 'in' ? { name: user.name, isLoggedIn: true } : guest,
    selfKey: status === 'in' ? user._id : guest && 'guest',
    onPostError: warn,
    onLikes: rest.onLikes,
    onNotices: rest.onNotices,
    onGone: rest.onGone,
  })

  const rangeKey = isLatest(range) ? 'last' : range.after
  const shown = useRef(rangeKey)
  useEffect(() => {
    if (data === undefined || shown.current === rangeKey) return
    shown.current = rangeKey
    // What was announced between two windows reached neither of them.
    live.wake()
  }, [live, rangeKey, data])

  const actions = useMemo<ThreadActions>(() => {
    const findPost = (number: number) => view.current?.findPost(number)
    return {
      threadId,
      newest,
      findPost,
      goTo(number) {
        void navigate(findPost(number) === undefined ? postPath(threadId, number) : { ...location, hash: `#${number}` })
      },
      viewImage: (post) => void viewImage(post, view.current?.posts() ?? []),
      reply: locked ? null : (number) => composer.current?.quote(number),
      slots,
    }
  }, [threadId, newest, navigate, slots, locked])

  const onPosted = (post: Post) => {
    view.current?.store.hear(post)
    view.current?.show(post.number, 'end')
  }

  return (
    <ThreadActionsProvider value={actions}>
      <SlipLayer>
        {data !== undefined ? (
          <WindowView
            key={rangeKey}
            ref={view}
            threadId={threadId}
            range={range}
            data={data}
            position={position}
            onPosition={onPosition}
            onNews={setNews}
          />
        ) : rest.failed ? (
          <ErrorBox message={messages.posts_failed} onRetry={rest.onRetry} />
        ) : (
          <div className={styles['waiting']}>
            <Spinner label="読み込み中" />
          </div>
        )}
        <ThreadDock
          composer={composer}
          threadId={threadId}
          live={live}
          link={link}
          member={user}
          mayWriteAsStaff={rest.mayWriteAsStaff}
          isGuest={isGuest}
          nickname={nickname}
          locked={locked}
          paused={paused}
          newest={news.newest}
          unseen={news.unseen}
          onUnseen={() => view.current?.show(news.firstUnseen, 'start')}
          onPosted={onPosted}
          onJump={(to) => view.current?.jump(to) ?? false}
        />
      </SlipLayer>
    </ThreadActionsProvider>
  )
}
