import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { ChevronIcon } from '../../ui/icons.tsx'
import { NewPostsPill } from '../../ui/pill.tsx'
import { Switch } from '../../ui/switch.tsx'
import { ClosedDock } from './closed-dock.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { ConnectionState } from './connection-state.tsx'
import { JumpLinks } from './jump-links.tsx'
import type { Link } from './link.ts'
import type { ThreadLive } from './live.ts'
import { NicknameDialog } from './nickname-dialog.tsx'
import styles from './thread-dock.module.css'
import { useDockRoom } from './use-dock-room.ts'
import { useKeptFocus } from './use-kept-focus.ts'
import type { Nickname } from './use-nickname.ts'

interface ThreadDockProps {
  composer: RefObject<ComposerHandle | null>
  threadId: string
  live: ThreadLive
  link: Link
  /** Writes under the profile name; null for everybody else, who needs a nickname. */
  member: User | null
  /** The member may write here under the seal of those who run the board. */
  mayWriteAsStaff: boolean
  /** Somebody without an account is here. */
  isGuest: boolean
  nickname: Nickname
  /** Nobody may write here. */
  locked: boolean
  /** Why nobody can write anywhere now. What was typed stays in its field. */
  paused: string | null
  newest: number
  unseen: number
  onUnseen: () => void
  onPosted: (post: Post) => void
  onJump: (to: 'first' | 'latest') => boolean
}

/**
 * Stands at the foot of the window, in the page's flow, so that it never covers the last post: one line to write in, which opens
 * when it is used, and above it the line that asks for a name.
 */
export function ThreadDock({
  composer,
  member,
  mayWriteAsStaff,
  isGuest,
  nickname,
  live,
  link,
  locked,
  paused,
  threadId,
  newest,
  ...rest
}: ThreadDockProps) {
  const dock = useRef<HTMLDivElement>(null)
  useDockRoom(dock)
  useKeptFocus(dock)
  const chosen = isGuest ? (nickname.chosen ?? null) : null
  const name = member?.name ?? chosen
  /** The visitor wants the line of names: to change theirs, or because a post waits for one. */
  const [asked, setAsked] = useState<'name' | 'post' | null>(null)
  const [wantsSeal, setWantsSeal] = useState(false)
  const canChoose = isGuest && !locked && paused === null
  const choosing = canChoose && (asked !== null || nickname.chosen === undefined)

  /** A name was confirmed just now: the words come next, or the post goes that waits for it. */
  const [confirmed, setConfirmed] = useState(false)
  useEffect(() => {
    if (!confirmed || name === null) return
    setConfirmed(false)
    setAsked(null)
    composer.current?.focus()
    if (asked === 'post') composer.current?.submit()
  }, [confirmed, asked, name, composer])

  const aside = (
    <div className={styles['aside']}>
      <ConnectionState link={link} />
      <JumpLinks threadId={threadId} newest={newest} onJump={rest.onJump} />
    </div>
  )

  return (
    <div ref={dock} className={styles['dock']} data-dock="">
      <div className={styles['pill']}>
        <NewPostsPill count={rest.unseen} onClick={rest.onUnseen} />
      </div>
      {locked ? (
        <div className={styles['closed']}>
          <ClosedDock />
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
          onConfirmed={() => setConfirmed(true)}
          onClose={() => {
            setAsked(null)
            // Whoever has a name keeps it.
            if (chosen === null) nickname.putAway()
            composer.current?.focus()
          }}
        />
      )}
      {/* Stays mounted in a locked thread: the draft is not lost, and the lock may be taken back. */}
      <div hidden={locked} className={styles['composer']}>
        <Composer
          ref={composer}
          threadId={threadId}
          live={live}
          name={name}
          asStaff={mayWriteAsStaff && wantsSeal}
          paused={paused}
          who={
            member !== null ? (
              <div className={styles['member']}>
                <p className={styles['writer']}>
                  <b>{name}</b>
                  <span data-when-open=""> として書き込む</span>
                </p>
                {mayWriteAsStaff && (
                  <span data-when-open="">
                    <Switch checked={wantsSeal} onChange={setWantsSeal}>
                      運営の印
                    </Switch>
                  </span>
                )}
              </div>
            ) : (
              canChoose &&
              !choosing && (
                <button type="button" className={styles['name']} onClick={() => setAsked('name')}>
                  <span className={styles['known']}>{name ?? '名前'}</span>
                  <ChevronIcon size={12} direction="down" />
                  <span className="visually-hidden">（ニックネームを{name === null ? '決める' : '変える'}）</span>
                </button>
              )
            )
          }
          aside={locked ? null : aside}
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
