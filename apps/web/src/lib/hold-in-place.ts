/**
 * Keeps something in its place on the screen while what is above it gets its height (posts are laid
 * out as they come near the screen) and until the reader moves.
 */

/** The reader moves. */
const MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const
/**
 * Nothing moves any more when nothing did for this long, and in as many frames: a slow device draws
 * few of them meanwhile, and what is above gets its height in one of the next.
 */
const QUIET_MS = 600
const QUIET_FRAMES = 5
/**
 * For a page that never comes to rest, and a reader who moves in another way: after this long, and
 * as many frames.
 */
const LIMIT_MS = 3_000
const LIMIT_FRAMES = 20

let release: (() => void) | null = null

/** Whether the page scrolls to hold something in its place, rather than by the reader. */
export const isHolding = (): boolean => release !== null

/**
 * Calls `put` for what `find` finds, now and in each frame, until it no longer moves by itself or
 * has left the page. One thing is held at a time. The returned function ends it; `onEnd` is called
 * when it ends, for any reason.
 */
export function holdInPlace(
  find: () => Element | null,
  put: (element: Element) => void,
  onEnd?: () => void,
): () => void {
  release?.()
  const limit = performance.now() + LIMIT_MS
  let until = 0
  let placed = Number.NaN
  let frames = 0
  let quietFrames = 0
  let frame = 0
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const type of MOVES) removeEventListener(type, stop)
    if (release !== stop) return
    release = null
    onEnd?.()
  }
  const hold = () => {
    const element = find()
    if (element === null) return stop()
    const hasMoved = !(Math.abs(topOf(element) - placed) <= 1)
    put(element)
    placed = topOf(element)
    // After the look: on a slow device much may have happened since the last one.
    const now = performance.now()
    frames += 1
    quietFrames = hasMoved ? 0 : quietFrames + 1
    if (hasMoved) until = now + QUIET_MS
    const isQuiet = now > until && quietFrames >= QUIET_FRAMES
    if (isQuiet || (now > limit && frames >= LIMIT_FRAMES)) return stop()
    frame = requestAnimationFrame(hold)
  }
  for (const type of MOVES) addEventListener(type, stop, { passive: true })
  release = stop
  hold()
  return stop
}

const topOf = (element: Element): number => element.getBoundingClientRect().top
