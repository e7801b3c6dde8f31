import type { UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { KeyOf } from './desk-state.ts'
import { onQueueChanged } from './queue-changes.ts'
import { useDesk } from './use-desk.ts'

/** With fewer items on the desk, the list is fetched again for items beyond the last answer. */
const REFILL_BELOW = 10

/**
 * A desk that follows a queue of the server: it is kept up to date and filled, has keys, and
 * scrolls the current item into view. `Strip` names the commands that open a strip of choices.
 */
export function useQueueDesk<T, Strip extends string>(
  { data, refetch }: UseQueryResult<{ next: string | null }>,
  items: readonly T[] | undefined,
  keyOf: KeyOf<T>,
) {
  const reread = useCallback(() => void refetch(), [refetch])
  useEffect(() => onQueueChanged(reread), [reread])
  const desk = useDesk(items, keyOf, reread)
  const { front, state } = desk
  const { current } = state
  const [strip, setStrip] = useState<Strip | null>(null)
  const [shownImages, setShownImages] = useState<ReadonlySet<string>>(new Set())
  const view = useRef<HTMLElement>(null)

  const count = state.items.length
  useEffect(() => {
    if (count < REFILL_BELOW && data?.next != null) reread()
  }, [count, data, reread])

  // Moves the focus to the current item, so that the keys work and screen readers read it; a text
  // field keeps the focus.
  useEffect(() => {
    setStrip(null)
    const isWriting = document.activeElement?.closest('input, textarea, select, dialog') != null
    if (current !== null && !isWriting) view.current?.focus({ preventScroll: true })
    scrollTo({ top: 0 })
  }, [current])

  const toggleImage = () => {
    if (current === null) return
    const shown = new Set(shownImages)
    if (!shown.delete(current)) shown.add(current)
    setShownImages(shown)
  }
  const move = (by: 1 | -1) => {
    setStrip(null)
    desk.step(by)
  }
  const next = () => move(1)
  const previous = () => move(-1)
  /** Another moderator has decided the current item. */
  const isGone = state.gone !== null && state.gone === current
  return {
    ...desk,
    count,
    /** Position of the current item in the queue, from 0. */
    at: state.items.findIndex((item) => item === front),
    isGone,
    /** There is a current item, and it can be decided. */
    ready: front !== undefined && !isGone,
    /** The error of the decision on the current item. */
    problem: front === undefined ? undefined : state.problems.get(keyOf(front)),
    /** The element that shows the current item. */
    view,
    strip,
    setStrip,
    move,
    reread,
    imageShown: current !== null && shownImages.has(current),
    toggleImage,
    /** Keys that all desks share. */
    keys: { j: next, ArrowRight: next, k: previous, ArrowLeft: previous, v: toggleImage },
  }
}
