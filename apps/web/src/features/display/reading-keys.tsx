import { useEffect } from 'react'
import { useLocation, useNavigate, useNavigationType } from 'react-router'
import { loadChunk } from '../../lib/load-chunk.ts'
import { useKeys } from '../../lib/use-keys.ts'
import { paths } from '../../app/paths.ts'
import { pressReply } from './reply-key.ts'

/** Posts and rows of lists, in their order on the page. */
const items = (): HTMLElement[] =>
  Array.from(document.querySelectorAll<HTMLElement>('main [data-keep]')).filter((item) => item.checkVisibility())

/** The item that has the focus, if it is in view. */
function findCurrent(all: readonly HTMLElement[]): HTMLElement | null {
  const item = document.activeElement?.closest<HTMLElement>('main [data-keep]') ?? null
  if (item === null || !all.includes(item)) return null
  const { top, bottom } = item.getBoundingClientRect()
  return bottom > 0 && top < innerHeight ? item : null
}

function goTo(item: HTMLElement | undefined): void {
  if (item === undefined) return
  const target = item.matches('[tabindex]') ? item : item.querySelector<HTMLElement>('a[href]')
  target?.focus({ preventScroll: true })
  item.scrollIntoView({ block: 'nearest' })
}

/** Returns false where there is nothing to go through: the notebook has keys for its own rows. */
function step(by: 1 | -1): boolean {
  const all = items()
  const current = findCurrent(all)
  if (current !== null) goTo(all[all.indexOf(current) + by])
  else {
    // Nothing is current: begins with what is in view.
    const first = all.findIndex((item) => item.getBoundingClientRect().top >= 0)
    goTo(by === 1 ? all[first] : all[(first === -1 ? all.length : first) - 1])
  }
  return all.length > 0
}

/** The control that a part of the page offers for a key: the first visible one. */
const controlOf = (key: string): HTMLElement | undefined =>
  Array.from(document.querySelectorAll<HTMLElement>(`[data-key="${key}"]`)).find((control) => control.checkVisibility())

function press(key: string): boolean {
  const control = controlOf(key)
  if (control instanceof HTMLInputElement) {
    control.focus()
    control.select()
  } else control?.click()
  return control !== undefined
}

const UNREAD = '[data-unread]:not([data-unread="0"])'

/** A row with something unread, or the first post after the line of what was read. */
function isNew(item: HTMLElement, before: HTMLElement | undefined): boolean {
  if (item.matches(UNREAD) || item.querySelector(UNREAD) !== null) return true
  const isAfter = (one: Element, other: Element) =>
    (one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  const line = document.querySelector('[data-read-line]')
  return line !== null && isAfter(line, item) && (before === undefined || !isAfter(line, before))
}

function goToNew(): void {
  if (press('n')) return
  const all = items()
  const current = findCurrent(all)
  const from = current === null ? 0 : all.indexOf(current) + 1
  goTo(all.find((item, index) => index >= from && isNew(item, all[index - 1])))
}

function reply(): void {
  const number = Number(findCurrent(items())?.id)
  pressReply(Number.isInteger(number) && number > 0 ? number : null)
}

/** State of the history entry that / has made: the search of its list is wanted. */
const SEARCH = { searches: true }

const listKeys = () =>
  void loadChunk(() => import('./key-list.tsx')).then(
    ({ KeyList, showApart }) => showApart(KeyList),
    () => {},
  )

/**
 * Keys for reading (docs/product.md#display). Parts of a page offer their controls by `data-key`,
 * unread rows carry `data-unread`, and `data-read-line` is the line of what was read. The
 * administration has keys of its own.
 */
export function ReadingKeys({ first }: { first: KeyboardEvent }) {
  const navigate = useNavigate()
  const { pathname, state, key } = useLocation()
  const isAdmin = pathname.startsWith(paths.admin())
  const searches = useNavigationType() === 'PUSH' && (state as typeof SEARCH | null)?.searches === true
  useEffect(() => {
    // After the focus went to the start of the new page.
    if (searches) requestAnimationFrame(() => press('/'))
  }, [searches, key])
  const search = () => {
    // Kept with the navigation, which may fail or be replaced by another one.
    if (!press('/')) void navigate(paths.home, { state: SEARCH })
  }
  useKeys(
    isAdmin
      ? {}
      : {
          j: () => step(1),
          k: () => step(-1),
          n: goToNew,
          r: reply,
          g: () => void press('g'),
          '/': search,
          '?': listKeys,
        },
    first,
  )
  return null
}
