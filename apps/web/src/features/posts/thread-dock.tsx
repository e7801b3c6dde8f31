import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { takeSuddenEnd } from '../accounts/session.ts'
import { ChevronIcon } from '../../ui/icons.tsx'
import { NewPostsPill } from './new-posts-pill.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ClosedDock } from './closed-dock.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { ConnectionStatus } from './connection-status.tsx'
import { FindButton } from './find-button.tsx'
import { FollowingPill } from './following-pill.tsx'
import { JumpLinks } from './jump-links.tsx'
import type { ConnectionState } from './connection-state.ts'
import type { ThreadLive } from './live.ts'
import { nameAsShown, plainName } from './nickname.ts'
import { NicknameDialog } from './nickname-dialog.tsx'
import styles from './thread-dock.module.css'
import { useDockRoom } from './use-dock-room.ts'
import type { Following } from './use-following.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import { useSage } from './use-sage.ts'
import type { Nickname } from './use-nickname.ts'

interface ThreadDockProps {
  composer: RefObject<ComposerHandle | null>
  threadId: string
  threadTitle: string
  live: ThreadLive
  connection: ConnectionState
  /** The member, who writes under the profile name; null for all others, who need a nickname. */
  member: User | null
  /** The member may post with the staff seal here. */
  mayWriteAsStaff: boolean
  /** The visitor is known to have no account. */
  isGuest: boolean
  nickname: Nickname
  /** The thread is locked. */
  locked: boolean
  /** By whoever opened it. */
  closedByOwner: boolean
  /** Number of posts of a thread that is closed because it is full, else null. */
  fullAt: number | null
  /** Why posting is paused on the whole board. Typed text stays in its field. */
  paused: string | null
  newest: number
  unseen: number
  onUnseen: (hasFocus: boolean) => void
  onPosted: (post: Post) => void
  onJump: (to: 'first' | 'latest') => boolean
  /** Opens or closes the search in the thread. */
  onFind: () => void
  onTools: () => void
  following: Following
  onFollow: (following: Following) => void
}

/**
 * Is placed at the bottom of the viewport, in the page's flow, so that it never covers the last
 * post: one line for writing, which opens when it is used, and above it the line that asks for a
 * name.
 */
export function ThreadDock({
  composer,
  member,
  mayWriteAsStaff,
  isGuest,
  nickname,
  live,
  connection,
  locked,
  closedByOwner,
  fullAt,
  paused,
  threadId,
  threadTitle,
  newest,
  ...rest
}: ThreadDockProps) {
  const dock = useRef<HTMLDivElement>(null)
  const nameButton = useRef<HTMLButtonElement>(null)
  useDockRoom(dock)
  useKeptFocus(dock)
  const chosen = isGuest ? (nickname.chosen ?? null) : null
  const writer = member === null ? chosen : plainName(member.name)
  const name = writer && nameAsShown(writer)
  const [sage, setSage] = useSage(threadId)
  /** The visitor opened the line of names: to change the name, or because a post waits for one. */
  const [asked, setAsked] = useState<'name' | 'post' | null>(null)
  const [wantsSeal, setWantsSeal] = useState(false)
  const closed = locked || fullAt !== null
  const canChoose = isGuest && !closed && paused === null
  const choosing = canChoose && (asked !== null || nickname.chosen === undefined)

  /** A name was confirmed just now: the waiting post is sent. */
  const [confirmed, setConfirmed] = useState(false)
  useEffect(() => {
    if (!confirmed || name === null) return
    setConfirmed(false)
    setAsked(null)
    if (asked === 'post') composer.current?.submit()
  }, [confirmed, asked, name, composer])

  /** The choice was put away just now: only a post that was begun opens a phone's keyboard. */
  const [putAway, setPutAway] = useState(false)
  useEffect(() => {
    if (!putAway) return
    setPutAway(false)
    if (composer.current?.hasText()) composer.current.focus()
    else nameButton.current?.focus()
  }, [putAway, composer])

  const aside = (
    <div className={styles['aside']}>
      <ConnectionStatus state={connection} follows={rest.following === 'on'} />
      <FindButton onClick={rest.onFind} />
      <JumpLinks threadId={threadId} newest={newest} onJump={rest.onJump} onTools={rest.onTools} />
    </div>
  )

  return (
    <div ref={dock} className={styles['dock']} id="dock" data-dock="">
      <div className={styles['pill']}>
        {/* While the view follows them, they are out of view for a moment at most. */}
        <NewPostsPill count={rest.following === 'on' ? 0 : rest.unseen} onClick={rest.onUnseen} />
        <div role="status">
          {rest.following === 'paused' && (
            <FollowingPill onResume={() => rest.onFollow('on')} onEnd={() => rest.onFollow('off')} />
          )}
        </div>
      </div>
      {closed ? (
        <div className={styles['closed']}>
          <ClosedDock fullAt={locked ? null : fullAt} closedByOwner={closedByOwner} />
          {aside}
        </div>
      ) : (
        <noscript>
          <p className={styles['noscript']}>書き込みにはJavaScriptを有効にしてください。</p>
        </noscript>
      )}
      {choosing && (
        <NicknameDialog
          nickname={nickname}
          focus={asked !== null}
          onDecide={() => composer.current?.focus()}
          onConfirmed={() => {
            // Who chooses a name after the end of a session knows of it.
            takeSuddenEnd()
            setConfirmed(true)
          }}
          onClose={() => {
            setAsked(null)
            // A chosen name is kept.
            if (chosen === null) nickname.putAway()
            setPutAway(true)
          }}
        />
      )}
      {/*
       * Stays mounted in a locked thread: the draft is kept, because the lock may be removed. In a
       * full thread it is shown as long as it has text, for the next thread.
       */}
      <div hidden={locked} data-full={fullAt !== null || undefined} className={styles['composer']}>
        <Composer
          ref={composer}
          threadId={threadId}
          threadTitle={threadTitle}
          live={live}
          writer={writer}
          asStaff={mayWriteAsStaff && wantsSeal}
          sage={sage}
          paused={paused}
          who={
            (member !== null || (canChoose && !choosing)) && (
              <div className={styles['writing']}>
                {member !== null ? (
                  <p className={styles['writer']}>
                    <b>{name}</b>
                    <span data-when-open=""> として書き込む</span>
                  </p>
                ) : (
                  <button ref={nameButton} type="button" className={styles['name']} onClick={() => setAsked('name')}>
                    <span className={styles['known']}>{name ?? '名前'}</span>
                    <ChevronIcon size={12} direction="down" />
                    <span className="visually-hidden">（ニックネームを{name === null ? '決める' : '変える'}）</span>
                  </button>
                )}
                {mayWriteAsStaff && (
                  <span data-when-open="">
                    <Switch checked={wantsSeal} onChange={setWantsSeal}>
                      運営の印
                    </Switch>
                  </span>
                )}
                <span data-when-used="">
                  <Switch
                    checked={sage}
                    onChange={(on) => {
                      setSage(on)
                      // The row stays open.
                      composer.current?.focus()
                    }}
                  >
                    <span>
                      sage<span className="visually-hidden">（スレッドを上げない）</span>
                    </span>
                  </Switch>
                </span>
              </div>
            )
          }
          aside={closed ? null : aside}
          onNameless={() => {
            composer.current?.warn(messages.nickname_missing)
            setAsked('post')
          }}
          onPosted={rest.onPosted}
        />
      </div>
    </div>
  )
}
