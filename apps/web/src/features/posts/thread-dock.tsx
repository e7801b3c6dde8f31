import type { User } from '@shinobi/contract/accounts'
import type { Post } from '@shinobi/contract/posts'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { Button } from '../../ui/button.tsx'
import { NewPostsPill } from '../../ui/pill.tsx'
import { ClosedDock } from './closed-dock.tsx'
import { Composer, type ComposerHandle } from './composer.tsx'
import { ConnectionState } from './connection-state.tsx'
import { JumpLinks } from './jump-links.tsx'
import type { Link } from './link.ts'
import type { ThreadLive } from './live.ts'
import { NicknameDialog } from './nickname-dialog.tsx'
import styles from './thread-dock.module.css'
import { useDockRoom } from './use-dock-room.ts'
import type { Nickname } from './use-nickname.ts'

interface ThreadDockProps {
  composer: RefObject<ComposerHandle | null>
  threadId: string
  live: ThreadLive
  link: Link
  /** Writes under the profile name; null for everybody else, who needs a nickname. */
  member: User | null
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

/** Stands at the foot of the window, in the page's flow, so that it never covers the last post: first the name, then the words. */
export function ThreadDock({
  composer,
  member,
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
  const name = member?.name ?? nickname.name
  const ready = member === null && nickname.ready
  /** null: as the nickname wants it; the visitor may tuck the dialog away or ask for it. */
  const [asked, setAsked] = useState<'open' | 'tucked' | null>(null)
  const choosing = ready && !locked && paused === null && (asked === 'open' || (asked === null && name === null))

  /** Just named: the words come next, as soon as their field is there. */
  const entered = useRef(false)
  useEffect(() => {
    if (choosing || !entered.current) return
    entered.current = false
    composer.current?.focus()
    // The name is there before the dialog has told that it was confirmed: then only `asked` changes.
  }, [choosing, asked, composer])

  const line = (
    <>
      <ConnectionState link={link} />
      <JumpLinks threadId={threadId} newest={newest} onJump={rest.onJump} />
    </>
  )
  const head = (
    <div className={styles['head']}>
      {member !== null && (
        <p className={styles['writer']}>
          <b>{name}</b>
          <span> として書き込む</span>
        </p>
      )}
      {ready && paused === null && (
        <Button
          size="sm"
          variant={name === null ? 'primary' : 'ghost'}
          className={styles['name']}
          onClick={() => setAsked('open')}
        >
          {name === null ? (
            'ニックネームを決める'
          ) : (
            <>
              <span className={styles['known']}>{name}</span>
              <span className="visually-hidden">（ニックネームを変える）</span>
            </>
          )}
        </Button>
      )}
      {line}
    </div>
  )

  return (
    <div ref={dock} className={styles['dock']} data-dock="">
      <div className={styles['pill']}>
        <NewPostsPill count={rest.unseen} onClick={rest.onUnseen} />
      </div>
      {locked ? (
        <>
          <div className={styles['head']}>{line}</div>
          <ClosedDock />
        </>
      ) : (
        <noscript>
          <p className={styles['noscript']}>書き込みにはJavaScriptを有効にしてください。</p>
        </noscript>
      )}
      {choosing && (
        <NicknameDialog
          nickname={nickname}
          aside={line}
          focus={asked === 'open'}
          onTuck={() => setAsked('tucked')}
          onConfirmed={() => {
            setAsked('tucked')
            entered.current = true
          }}
        />
      )}
      {/* Stays mounted behind the dialog: the draft and an image that is chosen are not lost. */}
      <div hidden={choosing || locked} className={styles['composer']}>
        <Composer
          ref={composer}
          threadId={threadId}
          live={live}
          name={name}
          paused={paused}
          head={choosing || locked ? null : head}
          onPosted={rest.onPosted}
        />
      </div>
    </div>
  )
}
