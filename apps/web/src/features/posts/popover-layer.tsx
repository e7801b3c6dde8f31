import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { deferred } from '../../lib/deferred.tsx'
import { isImeKey } from '../../lib/ime-key.ts'
import { placeBeside } from '../../ui/place-beside.ts'
import styles from '../../ui/popover.module.css'
import { DepthContext, PopoversContext, type Popovers, type Shown } from './popover-context.ts'
import { PopoverPosts } from './popover-posts.tsx'

/** Time to move from the anchor to its popover, or from one popover to the next. */
const GRACE_MS = 260

const AnswerTree = deferred(async () => (await import('./answer-tree.tsx')).AnswerTree)

interface Popover {
  readonly anchor: HTMLElement
  readonly shown: Shown
}

const isAnswers = ({ shown }: Popover): boolean => 'answersTo' in shown

/** The root of a popover: a modal dialog makes everything outside of it inert. */
const rootOf = (anchor: HTMLElement): HTMLElement => anchor.closest('dialog') ?? document.body

/** Popovers lie over the page in the order in which they were opened, each above the one before. */
export function PopoverLayer({ children }: { children: ReactNode }) {
  const [popovers, setPopovers] = useState<readonly Popover[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const cut = useCallback((depth: number) => setPopovers((now) => (now.length > depth ? now.slice(0, depth) : now)), [])
  const api = useMemo<Popovers>(() => {
    const cutSoon = (depth: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(
        () => setPopovers((now) => now.slice(0, Math.max(depth, now.findLastIndex(isAnswers) + 1))),
        GRACE_MS,
      )
    }
    return {
      open(anchor, shown, depth) {
        clearTimeout(timer.current)
        setPopovers((now) => (now[depth]?.anchor === anchor ? now : [...now.slice(0, depth), { anchor, shown }]))
      },
      closeSoon: cutSoon,
      keep: (depth) => cutSoon(depth + 1),
      closeAll() {
        clearTimeout(timer.current)
        cut(0)
      },
    }
  }, [cut])
  useEffect(() => () => clearTimeout(timer.current), [])

  const open = popovers.length > 0
  // Before the popover is seen: a key must not be lost between it and its listener.
  useLayoutEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || isImeKey(event)) return
      event.preventDefault()
      event.stopPropagation()
      const last = popovers.at(-1)
      // A popover of answers has taken the focus from the button that opened it.
      if (last !== undefined && isAnswers(last)) last.anchor.focus({ preventScroll: true })
      setPopovers((now) => now.slice(0, -1))
    }
    const onPointerDown = (event: PointerEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest('[data-popover], [data-popover-anchor]') === null) api.closeAll()
    }
    // Runs before the dialogs of the page, so that one Esc closes one thing.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true })
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [open, popovers, api])

  return (
    <PopoversContext value={api}>
      {children}
      {popovers.map((popover, depth) =>
        createPortal(
          <DepthContext value={depth + 1}>
            <PlacedPopover popover={popover} depth={depth} api={api} />
          </DepthContext>,
          rootOf(popover.anchor),
          String(depth),
        ),
      )}
    </PopoversContext>
  )
}

function PlacedPopover({ popover, depth, api }: { popover: Popover; depth: number; api: Popovers }) {
  const element = useRef<HTMLDivElement>(null)
  const to = 'answersTo' in popover.shown ? popover.shown.answersTo : null
  useLayoutEffect(() => {
    const panel = element.current
    if (panel === null) return
    // Above the dialog that it belongs to.
    if (panel.popover !== null) panel.showPopover()
    if (isAnswers(popover)) panel.focus({ preventScroll: true })
    const place = () => placeBeside(panel, popover.anchor)
    place()
    // Fetched posts arrive later and make it taller.
    const observer = new ResizeObserver(place)
    observer.observe(panel)
    return () => observer.disconnect()
  }, [popover])
  return (
    <div
      ref={element}
      className={styles['popover']}
      data-popover=""
      popover={rootOf(popover.anchor) === document.body ? undefined : 'manual'}
      role={to === null ? 'group' : 'dialog'}
      aria-label={to === null ? '参照先の書き込み' : `${to}への返信`}
      tabIndex={to === null ? undefined : -1}
      onPointerEnter={() => api.keep(depth)}
      onPointerLeave={(event) => {
        if (event.pointerType === 'mouse') api.closeSoon(depth)
      }}
      onFocus={() => api.keep(depth)}
      onBlur={() => api.closeSoon(depth)}
    >
      {'ranges' in popover.shown ? (
        <PopoverPosts ranges={popover.shown.ranges} />
      ) : (
        <AnswerTree key={popover.shown.answersTo} to={popover.shown.answersTo} />
      )}
    </div>
  )
}
