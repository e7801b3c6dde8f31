import { useRef, useSyncExternalStore, type MouseEvent, type PointerEvent } from 'react'
import type { NumberRange } from '@shinobi/text/anchors'
import { postPath } from './post-address.ts'
import styles from './post-text.module.css'
import { useDepth, usePopovers } from './popover-context.ts'
import { useThreadActions } from './thread-context.ts'

/** A pointer that only passes over the anchor opens nothing. */
const HOVER_MS = 160

interface AnchorLinkProps {
  text: string
  ranges: readonly NumberRange[]
}

/** >>12. A number without a post yet is no link; it becomes one when the post exists. */
export function AnchorLink({ text, ranges }: AnchorLinkProps) {
  const { newest } = useThreadActions()
  const first = ranges[0]?.from ?? 1
  const isWritten = () => first <= newest.get()
  if (useSyncExternalStore(newest.subscribe, isWritten, isWritten)) return <PostAnchor text={text} ranges={ranges} />
  return (
    <span className={styles['dead']} title="まだ書き込まれていない番号です">
      {text}
    </span>
  )
}

/**
 * Goes to the post; hover, focus and a tap show it in a popover first. Without JavaScript it is a
 * plain link.
 */
function PostAnchor({ text, ranges }: AnchorLinkProps) {
  const { threadId, goTo } = useThreadActions()
  const popovers = usePopovers()
  const depth = useDepth()
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined)
  const touched = useRef(false)
  const first = ranges[0]?.from ?? 1

  const onClick = (event: MouseEvent<HTMLAnchorElement>) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (touched.current) return popovers.open(event.currentTarget, { ranges }, depth)
    popovers.closeAll()
    goTo(first)
  }
  const onPointerEnter = (event: PointerEvent<HTMLAnchorElement>) => {
    if (event.pointerType !== 'mouse') return
    const anchor = event.currentTarget
    clearTimeout(timer.current)
    timer.current = setTimeout(() => popovers.open(anchor, { ranges }, depth), HOVER_MS)
  }
  const leave = () => {
    clearTimeout(timer.current)
    popovers.closeSoon(depth)
  }

  return (
    <a
      href={postPath(threadId, first)}
      className={styles['anchor']}
      data-popover-anchor=""
      onClick={onClick}
      onPointerDown={(event) => {
        touched.current = event.pointerType !== 'mouse'
      }}
      onPointerEnter={onPointerEnter}
      onPointerLeave={(event) => {
        if (event.pointerType === 'mouse') leave()
      }}
      onFocus={(event) => {
        if (event.currentTarget.matches(':focus-visible')) popovers.open(event.currentTarget, { ranges }, depth)
      }}
      onBlur={leave}
      onKeyDown={() => {
        touched.current = false
      }}
    >
      {text}
    </a>
  )
}
