/**
 * Finds posts on the screen and scrolls to them. A post's element has its number as id, so that #12
 * works without scripts.
 */
import { holdInPlace } from '../../lib/hold-in-place.ts'

const MARK_MS = 1_600
export const postElement = (number: number): HTMLElement | null => document.getElementById(String(number))

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
  const block = wanted === 'end' && element.offsetHeight > innerHeight / 2 ? 'start' : wanted
  holdAt(() => (element.isConnected ? element : null), block)
  return element
}

/** Scrolls to the line 「ここまで読んだ」; returns false when it is not on the page. */
export function scrollToReadLine(block: 'start' | 'end'): boolean {
  // It is drawn anew above posts that turn out to leave no trace (NG).
  const find = () => document.querySelector('[data-read-line]')
  if (find() === null) return false
  holdAt(find, block)
  return true
}

function holdAt(find: () => Element | null, block: 'start' | 'end' | 'nearest'): void {
  holdInPlace(find, (element) => element.scrollIntoView({ block, behavior: 'instant' }))
}

function mark(element: HTMLElement): void {
  for (const other of document.querySelectorAll('[data-marked]')) other.removeAttribute('data-marked')
  element.setAttribute('data-marked', '')
  setTimeout(() => element.removeAttribute('data-marked'), MARK_MS)
}
