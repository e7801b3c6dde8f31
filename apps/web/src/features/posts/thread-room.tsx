import type { LikesChange } from '@shinobi/contract/events'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { deferred } from '../../lib/deferred.tsx'
import { useSession } from '../accounts/use-session.ts'
import { loadChunk } from '../../lib/load-chunk.ts'
import { takeNotices } from '../../lib/pressed-notices.ts'
import { useLoadedDialog } from '../../lib/use-loaded-dialog.ts'
import { isClosedByOwner, notesOf } from '../owners/owner-actions.ts'
import { ErrorBox } from '../../ui/error-box.tsx'
import { Spinner } from '../../ui/spinner.tsx'
import type { PostPages } from './api.ts'
import type { ComposerHandle } from './composer.tsx'
import type { Person } from './extraction/extract.ts'
import type { ThreadToolsProps } from './extraction/thread-tools.tsx'
import { createNewestNumber } from './newest-number.ts'
import { isLatest, postPath, type PostRange } from './post-address.ts'
import styles from './post-list.module.css'
import type { Position } from './post-log.ts'
import { PopoverLayer } from './popover-layer.tsx'
import type { HideDialogProps } from './hide-post.tsx'
import { PostMenus } from './post-menus.tsx'
import { ThreadActionsProvider, type Opening, type ThreadActions } from './thread-context.ts'
import { ThreadDock } from './thread-dock.tsx'
import type { Following } from './use-following.ts'
import { JUMP } from './use-fragment.ts'
import type { Resumed } from './use-resume.ts'
import { useNickname } from './use-nickname.ts'
import { addToDraft } from './use-sending.ts'
import { useThreadLive } from './use-thread-live.ts'
import { isImageShown, viewImage } from './view-image.ts'
import { WindowView, type WindowHandle, type WindowNews } from './window-view.tsx'

const FindInThread = deferred(async () => (await import('./find-in-thread.tsx')).FindInThread)
const loadHiding = async () => (await loadChunk(() => import('./hide-post.tsx'))).HideDialog
const loadTools = async () => (await loadChunk(() => import('./extraction/thread-tools.tsx'))).ThreadTools

interface ThreadRoomProps {
  /** Its numbers of posts and changes are those when it was read. */
  thread: Thread
  range: PostRange
  resumed: Resumed
  /** The window's posts; undefined while they are fetched, or when that failed. */
  data: PostPages | undefined
  failed: boolean
  onRetry: () => void
  /** Below the newest post. */
  end: ReactNode
  /** The visitor may post with the staff seal. */
  mayWriteAsStaff: boolean
  /** Why posting is paused on the whole board; null while the board accepts posts. */
  paused: string | null
  /** The thread's position has changed. */
  onPosition: (position: Position) => void
  /** Like counts have changed; stable, as is `opening`. */
  onLikes: (change: LikesChange) => void
  /** Notices for all visitors have changed; stable as well. */
  onNotices: () => void
  /** Changes of the thread may have been missed; stable as well. */
  onMissed: () => void
  /** The thread no longer exists. */
  onGone: () => void
  opening: Opening | null
}

/**
 * A thread with its live updates and its composer, which stay mounted while the reader moves
 * between windows of posts.
 * Use the thread's id as its key.
 */
export function ThreadRoom({
  thread,
  range,
  resumed,
  data,
  opening,
  end,
  paused,
  onPosition,
  ...rest
}: ThreadRoomProps) {
  const { _id: threadId, locked } = thread
  /** Number of posts of a thread that is closed because it is full, else null. */
  const fullAt = thread.closedAt === null ? null : thread.postCount
  const navigate = useNavigate()
  const composer = useRef<ComposerHandle>(null)
  const view = useRef<WindowHandle>(null)
  const [news, setNews] = useState<WindowNews>({ newest: thread.postCount, unseen: 0, firstUnseen: 0 })
  const [lastSeen, setLastSeen] = useState<number | null>(null)
  const [newest] = useState(() => createNewestNumber(thread.postCount))
  useEffect(() => newest.set(news.newest), [newest, news.newest])
  const { status, user } = useSession()
  const isGuest = status === 'out'
  const nickname = useNickname(threadId, isGuest)
  const warn = useCallback((message: string) => composer.current?.warn(message), [])
  const guest = isGuest ? { name: nickname.chosen?.name ?? null, isLoggedIn: false } : null
  const { live, connection } = useThreadLive({
    threadId,
    view,
    // Null while the session is unknown: connecting earlier would need another connection once it
    // is known.
    self: status === 'in' ? { name: user.name, isLoggedIn: true } : guest,
    selfKey: status === 'in' ? user._id : guest && 'guest',
    onPostError: warn,
    onLikes: rest.onLikes,
    onNotices: rest.onNotices,
    onMissed: rest.onMissed,
    onGone: rest.onGone,
  })

  const rangeKey = isLatest(range) ? 'last' : range.after
  const shown = useRef(rangeKey)
  useEffect(() => {
    if (data === undefined || shown.current === rangeKey) return
    shown.current = rangeKey
    // An event between two windows reached neither of them.
    live.wake()
  }, [live, rangeKey, data])

  const closed = locked || fullAt !== null
  const [following, setFollowing] = useState<Following>('off')
  const pause = useCallback(() => setFollowing((now) => (now === 'on' ? 'paused' : now)), [])
  useEffect(() => {
    // Nothing arrives any more.
    if (closed) setFollowing('off')
  }, [closed])

  const {
    shown: tools,
    open: openTools,
    close: closeTools,
  } = useLoadedDialog<ThreadToolsProps, Person | null>(loadTools, warn)
  const { shown: hiding, open: hide, close: closeHiding } = useLoadedDialog<HideDialogProps, Post>(loadHiding, warn)

  const actions = useMemo<ThreadActions>(() => {
    const findPost = (number: number) => view.current?.findPost(number)
    return {
      threadId,
      newest,
      findPost,
      posts: () => view.current?.posts() ?? [],
      goTo(number) {
        pause()
        const isLoaded = findPost(number) !== undefined
        void navigate(isLoaded ? { ...location, hash: `#${number}` } : postPath(threadId, number), { state: JUMP })
      },
      viewImage: (post) => void viewImage(post, (view.current?.posts() ?? []).filter(isImageShown)),
      extract: openTools,
      hide,
      reply: closed ? null : (number) => composer.current?.quote(number),
      write: closed
        ? null
        : (text, image) => {
            composer.current?.write(text, image)
            return composer.current !== null
          },
      putBack: (text) => (composer.current === null ? addToDraft(threadId, text) : composer.current.write(text)),
      opening,
    }
  }, [threadId, newest, navigate, opening, closed, openTools, hide, pause])

  const { goTo } = actions
  // Not after the frame: a thread that was just left answers no more, and one that is shown does.
  useLayoutEffect(
    () =>
      takeNotices((path) => {
        const [, number] = path.split(`${paths.thread(threadId)}/`)
        if (number === undefined) return false
        goTo(Number(number))
        return true
      }),
    [threadId, goTo],
  )

  const [isFinding, setFinding] = useState(false)
  const { postCount, revision } = data?.known ?? thread

  const onPosted = (post: Post) => {
    view.current?.store.hear(post)
    view.current?.show(post.number, 'end')
  }

  return (
    <ThreadActionsProvider value={actions}>
      <PopoverLayer>
        {isFinding && <FindInThread changes={revision - postCount} onClose={() => setFinding(false)} />}
        {data !== undefined ? (
          <PostMenus>
            <WindowView
              key={rangeKey}
              ref={view}
              thread={thread}
              range={range}
              resumed={resumed}
              data={data}
              position={thread}
              onPosition={onPosition}
              onNews={setNews}
              lastSeen={lastSeen}
              onSeen={setLastSeen}
              notes={notesOf(thread)}
              follows={following === 'on'}
              onPause={pause}
            />
          </PostMenus>
        ) : rest.failed ? (
          <ErrorBox message={messages.posts_failed} onRetry={rest.onRetry} />
        ) : (
          <div className={styles['waiting']}>
            <Spinner label="読み込み中" />
          </div>
        )}
        {end}
        <ThreadDock
          composer={composer}
          threadId={threadId}
          threadTitle={thread.title}
          live={live}
          connection={connection}
          member={user}
          mayWriteAsStaff={rest.mayWriteAsStaff}
          isGuest={isGuest}
          nickname={nickname}
          locked={locked}
          closedByOwner={isClosedByOwner(thread)}
          fullAt={fullAt}
          paused={paused}
          newest={news.newest}
          unseen={news.unseen}
          onUnseen={(hasFocus) => view.current?.show(news.firstUnseen, 'start', hasFocus)}
          onPosted={onPosted}
          onTools={() => openTools(null)}
          onJump={(to) => {
            if (to === 'first') pause()
            else if (following !== 'off') {
              setFollowing('on')
              return true
            }
            return view.current?.jump(to) ?? false
          }}
          following={following}
          onFollow={setFollowing}
          onFind={() => setFinding((open) => !open)}
        />
        {hiding !== null && (
          <hiding.Dialog key={hiding.subject._id} post={hiding.subject} open={hiding.isOpen} onClose={closeHiding} />
        )}
        {tools !== null && (
          <tools.Dialog
            open={tools.isOpen}
            onClose={closeTools}
            person={tools.subject}
            follows={closed ? null : following !== 'off'}
            onFollow={(on) => {
              closeTools()
              setFollowing(on ? 'on' : 'off')
            }}
            firstUnread={news.unseen > 0 ? news.firstUnseen : null}
          />
        )}
      </PopoverLayer>
    </ThreadActionsProvider>
  )
}
