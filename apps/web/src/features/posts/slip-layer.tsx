import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { placeBeside } from '../../ui/place-beside.ts'
import styles from '../../ui/slip.module.css'
import type { NumberRange } from './parse-content.ts'
import { DepthContext, SlipsContext, type Slips } from './slip-context.ts'
import { SlipPosts } from './slip-posts.tsx'

/** Time to get from the anchor to its slip, or from one slip to the next. */
const GRACE_MS = 260

interface Slip {
  readonly anchor: HTMLElement
  readonly ranges: readonly NumberRange[]
}

/** Slips lie over the page in the order they were opened, each on the one before. */
export function SlipLayer({ children }: { children: ReactNode }) {
  const [slips, setSlips] = useState<readonly Slip[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)

  const cut = useCallback((depth: number) => setSlips((now) => (now.length > depth ? now.slice(0, depth) : now)), [])
  const api = useMemo<Slips>(() => {
    const cutSoon = (depth: number) => {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => cut(depth), GRACE_MS)
    }
    return {
      open(anchor, ranges, depth) {
        clearTimeout(timer.current)
        setSlips((now) => (now[depth]?.anchor === anchor ? now : [...now.slice(0, depth), { anchor, ranges }]))
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

  const open = slips.length > 0
  useEffect(() => {
    if (!open) return
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing) return
      event.preventDefault()
      event.stopPropagation()
      setSlips((now) => now.slice(0, -1))
    }
    const onPointerDown = (event: PointerEvent) => {
      const target = event.target instanceof Element ? event.target : null
      if (target?.closest('[data-slip], [data-slip-anchor]') === null) api.closeAll()
    }
    // Before the dialogs of the page: one Esc closes one thing.
    document.addEventListener('keydown', onKeyDown, { capture: true })
    document.addEventListener('pointerdown', onPointerDown)
    return () => {
      document.removeEventListener('keydown', onKeyDown, { capture: true })
      document.removeEventListener('pointerdown', onPointerDown)
    }
  }, [open, api])

  return (
    <SlipsContext value={api}>
      {children}
      {open &&
        createPortal(
          slips.map((slip, depth) => (
            // oxlint-disable-next-line react/no-array-index-key -- a slip is its depth
            <DepthContext key={depth} value={depth + 1}>
              <PlacedSlip slip={slip} depth={depth} api={api} />
            </DepthContext>
          )),
          document.body,
        )}
    </SlipsContext>
  )
}

function PlacedSlip({ slip, depth, api }: { slip: Slip; depth: number; api: Slips }) {
  const element = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const paper = element.current
    if (paper === null) return
    const place = () => placeBeside(paper, slip.anchor)
    place()
    // Posts that are fetched come later and make it higher.
    const observer = new ResizeObserver(place)
    observer.observe(paper)
    return () => observer.disconnect()
  }, [slip])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- being on it only keeps it open
    <div
      ref={element}
      className={styles['slip']}
      data-slip=""
      role="group"
      aria-label="参照先の書き込み"
      onPointerEnter={() => api.keep(depth)}
      onPointerLeave={(event) => {
        if (event.pointerType === 'mouse') api.closeSoon(depth)
      }}
      onFocus={() => api.keep(depth)}
      onBlur={() => api.closeSoon(depth)}
    >
      <SlipPosts ranges={slip.ranges} />
    </div>
  )
}
