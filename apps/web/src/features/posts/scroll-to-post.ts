/**
 * Finds posts on the screen and scrolls to them. A post's element has its number as id, so that #12
 * works without scripts.
 */
const MARK_MS = 1_600
/**
 * Posts above are laid out as they come near, which moves everything below; for this long the
 * target is held in place.
 */
const HOLD_MS = 600
const USER_MOVES = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const

export const postElement = (number: number): HTMLElement | null => document.getElementById(String(number))

let release: (() => void) | null = null

/**
 * Scrolls to a post and highlights it briefly; returns false when it is not on the page. `end`
 * places it right above the dock, unless it is so long that its beginning would be out of view.
 */
export function scrollToPost(number: number, wanted: 'start' | 'end' | 'nearest' = 'start'): boolean {
  const element = holdPost(number, wanted)
  if (element === null) return false
  mark(element)
  return true
}

/** Scrolls to a post as `scrollToPost` does, without highlighting it. */
export function holdPost(number: number, wanted: 'start' | 'end' | 'nearest'): HTMLElement | null {
  const element = postElement(number)
  if (element === null) return null
  holdAt(element, wanted === 'end' && element.offsetHeight > innerHeight / 2 ? 'start' : wanted)
  return element
}

/** Scrolls to the line 「ここまで読んだ」; returns false when it is not on the page. */
export function scrollToReadLine(block: 'start' | 'end'): boolean {
  const element = document.querySelector('[data-read-line]')
  if (element === null) return false
  holdAt(element, block)
  return true
}

function holdAt(element: Element, block: 'start' | 'end' | 'nearest'): void {
  release?.()
  const until = performance.now() + HOLD_MS
  let frame = 0
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const type of USER_MOVES) removeEventListener(type, stop)
    if (release === stop) release = null
  }
  const hold = () => {
    if (!element.isConnected || performance.now() > until) return stop()
    element.scrollIntoView({ block, behavior: 'instant' })
    frame = requestAnimationFrame(hold)
  }
  for (const type of USER_MOVES) addEventListener(type, stop, { passive: true })
  release = stop
  hold()
}

function mark(element: HTMLElement): void {
  for (const other of document.querySelectorAll('[data-marked]')) other.removeAttribute('data-marked')
  element.setAttribute('data-marked', '')
  setTimeout(() => element.removeAttribute('data-marked'), MARK_MS)
}
