import type { Post } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { createPortal } from 'react-dom'
import { uuidV7 } from '../../lib/uuid-v7.ts'
import { addRule } from '../hiding/rules.ts'
import { ManageButton } from '../moderation/manage.tsx'
import { OwnerButton } from '../owners/owners.tsx'
import { ReportButton } from '../reports/report-button.tsx'
import { placeBeside } from '../../ui/place-beside.ts'
import popover from '../../ui/popover.module.css'
import { chooseArt, useIsArt } from './art-choices.ts'
import { CopyLink } from './copy-link.tsx'
import { DeleteOwn } from './delete-own.tsx'
import styles from './post-actions.module.css'
import type { Person } from './extraction/extract.ts'
import { writerCandidates, type WriterCandidate } from './hideable.ts'
import { isNamed } from './post-view.tsx'
import { postElement } from './scroll-to-post.ts'
import { useShownPost, useThreadActions } from './thread-context.ts'

export type PostActionsProps =
  | { /** Shown beside this post, which may have left the window. */ post: Post | undefined; anchor?: undefined }
  | { /** Shown in a menu at the number of this post. */ post: Post; anchor: HTMLElement; onClose: () => void }

/** The actions of one post: beside it, or in its menu. */
export function PostActions(props: PostActionsProps) {
  if (props.anchor !== undefined) return <PostMenu {...props} />
  if (props.post === undefined || props.post.deleted) return null
  const place = postElement(props.post.number)?.querySelector('[data-actions]')
  return place == null ? null : createPortal(<Buttons post={props.post} className={styles['beside']!} />, place)
}

interface ButtonsProps {
  post: Post
  inMenu?: boolean
  className: string
  onDeleted?: () => void
}

function Buttons({ post, inMenu = false, className, onDeleted }: ButtonsProps) {
  const { threadId, reply, extract, hide, opening } = useThreadActions()
  const { number } = post
  const shown = useShownPost(post)
  const person = personOf(post)
  const candidate = writerCandidates(post)[0] ?? null
  return (
    <div className={className}>
      {reply !== null && (
        <button type="button" className={styles['action']} onClick={() => reply(number)}>
          返信<span className="visually-hidden">{`（${number}へ）`}</span>
        </button>
      )}
      <CopyLink threadId={threadId} number={number} />
      {person !== null && (
        <button type="button" className={styles['action']} aria-haspopup="dialog" onClick={() => extract(person)}>
          {/* Beside a post a longer word would cover the ID. */}
          {inMenu ? 'この人を抽出' : '抽出'}
          <span className="visually-hidden">{`（${number}の書き手）`}</span>
        </button>
      )}
      {/* Beside a post there is room for one NG. */}
      {inMenu && candidate !== null && (
        <button type="button" className={styles['action']} onClick={() => hideWriter(candidate, threadId)}>
          この人をNG<span className="visually-hidden">{`（${number}の書き手を隠す）`}</span>
        </button>
      )}
      <button type="button" className={styles['action']} aria-haspopup="dialog" onClick={() => hide(post)}>
        NG…<span className="visually-hidden">{`（${number}を隠す）`}</span>
      </button>
      {/* The opening post of a news thread is a summary. */}
      {inMenu && (opening === null || number > 1) && <ArtButton post={post} />}
      {inMenu && <OwnerButton post={post} className={styles['action']!} />}
      <DeleteOwn post={post} onDeleted={onDeleted} />
      <ReportButton post={shown} className={styles['action']!} />
      <ManageButton post={shown} className={styles['action']!} />
    </div>
  )
}

/** Neither the detection of art nor its absence is final. */
function ArtButton({ post }: { post: Post }) {
  const isArt = useIsArt(post)
  return (
    <button type="button" className={styles['action']} onClick={() => chooseArt(post, !isArt)}>
      {isArt ? '折り返して表示' : 'AAとして表示'}
      <span className="visually-hidden">{`（${post.number}を）`}</span>
    </button>
  )
}

/** By the name, which is of one person in the thread; the ID tells those without one apart. */
function personOf(post: Post): Person | null {
  if (isNamed(post)) return { kind: 'writer', writer: post }
  return post.posterId === undefined ? null : { kind: 'id', id: post.posterId }
}

/**
 * In this thread, where the ID or the name is of one person only; the lines that are left say why.
 */
function hideWriter({ kind, text }: WriterCandidate, threadId: string): void {
  const now = Date.now()
  const rule = { kind, text, threadId, chain: false, traceless: false, endsAt: null }
  addRule({ ...rule, id: uuidV7(now), createdAt: now }, now)
}

const STEPS: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
}

/**
 * The menu lies over the page at the number. The browser would close an automatic popover when the
 * finger of a long press is lifted, so this one closes itself.
 */
function PostMenu({ post, anchor, onClose }: Extract<PostActionsProps, { anchor: HTMLElement }>) {
  const panel = useRef<HTMLDivElement>(null)
  const shown = useShownPost(post)
  useLayoutEffect(() => {
    const element = panel.current
    if (element === null) return
    element.showPopover()
    placeBeside(element, anchor)
    element.querySelector<HTMLElement>('a, button')?.focus({ preventScroll: true })
  }, [anchor])
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      if (target instanceof Node && panel.current?.contains(target) !== true && !anchor.contains(target)) onClose()
    }
    document.addEventListener('pointerdown', onPointerDown)
    return () => document.removeEventListener('pointerdown', onPointerDown)
  }, [anchor, onClose])

  /** The focus goes back to the number, unless an action has moved it. */
  const leave = () => {
    if (panel.current?.contains(document.activeElement) === true) anchor.focus({ preventScroll: true })
    onClose()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Goes on from the number, not from the end of the page.
    if (event.key === 'Tab') return leave()
    const step = STEPS[event.key]
    if (event.key !== 'Escape' && step === undefined) return
    event.preventDefault()
    event.stopPropagation()
    if (step === undefined) return leave()
    const items = [...panel.current!.querySelectorAll<HTMLElement>('a, button')]
    items[step(items.indexOf(document.activeElement as HTMLElement), items.length)]?.focus()
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles what its buttons are sent
    <div
      ref={panel}
      popover="manual"
      role="dialog"
      aria-label={`${post.number}の操作`}
      className={`${popover['popover']} ${styles['panel']}`}
      onKeyDown={onKeyDown}
      onClick={({ target }) => {
        // A copied link says so in its place.
        if ((target as Element).closest('button') !== null) leave()
      }}
    >
      <p className={styles['subject']}>
        <b>{post.number}</b> {shown.name ?? NAMELESS}
      </p>
      <Buttons post={post} inMenu className={styles['menu']!} onDeleted={leave} />
    </div>
  )
}
