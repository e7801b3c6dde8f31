/**
 * Restores the scroll position of a list after Back and after a reload. It stores the first row in
 * view and its distance from the top, because pixel positions are useless when rows above get their
 * layout late (content-visibility) or more pages have to be fetched first.
 */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useLocation, useNavigationType, type Location } from 'react-router'
import { holdInPlace } from './hold-in-place.ts'
import { isShown, rowsBelow } from './rows-in-view.ts'
import { readStored, writeStored } from './storage.ts'

export interface KeptPosition {
  /** Id of the first row in view. */
  anchor: string
  /** Its top edge, in pixels from the top of the window. */
  offset: number
  /** Loaded pages. */
  pages: number
}

const PREFIX = 'position:'
const SAVE_AFTER_MS = 150
/** Rows below this line count as in view: the header covers the space above. */
const TOP_LINE = 64

/** The stored position, or null if it is invalid. */
export function parsePosition(text: string | null): KeptPosition | null {
  if (text === null) return null
  try {
    const { anchor, offset, pages } = JSON.parse(text) as Partial<KeptPosition>
    if (typeof anchor !== 'string' || typeof offset !== 'number' || typeof pages !== 'number') return null
    return { anchor, offset, pages }
  } catch {
    return null
  }
}

const addressOf = ({ pathname, search, hash }: Location, fragment = hash) => pathname + search + fragment

/**
 * Entries created by the browser have the key "default", whatever their address: the first of a
 * tab, and those of a typed #id.
 */
const keyOf = (location: Location) => `${location.key}:${addressOf(location)}`

function load(key: string): KeptPosition | null {
  return parsePosition(readStored(PREFIX + key, 'sessionStorage'))
}

function save(key: string, position: KeptPosition): void {
  writeStored(PREFIX + key, JSON.stringify(position), 'sessionStorage')
}

function rowOf(anchor: string): HTMLElement | null {
  const row = document.getElementById(anchor)
  return row !== null && row.matches('[data-keep]') && isShown(row) ? row : null
}

/**
 * Position of a row named by the address: a third down the window, so that its neighbours are
 * visible, too.
 */
const placeOf = (hash: string): KeptPosition | null =>
  hash.length > 1 ? { anchor: hash.slice(1), offset: Math.round(innerHeight / 3), pages: 0 } : null

function measure(pages: number): KeptPosition | null {
  const { value: row } = rowsBelow(TOP_LINE).next()
  if (row === undefined) return null
  return { anchor: row.id, offset: Math.round(row.getBoundingClientRect().top), pages }
}

/** Scrolls the row to its position and holds it there. Returns a function that stops it. */
const holdRow = ({ anchor, offset }: KeptPosition, onEnd: () => void): (() => void) =>
  holdInPlace(
    () => rowOf(anchor),
    (row) => {
      const off = row.getBoundingClientRect().top - offset
      if (Math.abs(off) > 1) scrollBy({ top: off, behavior: 'instant' })
    },
    onEnd,
  )

/**
 * Stores the current position of `row`, so that a link from another page to `#row` finds it in the
 * same place.
 */
export function keepPlace(location: Location, row: string): void {
  const element = rowOf(row)
  if (element === null) return
  const { pages } = load(keyOf(location)) ?? { pages: 0 }
  save(addressOf(location, `#${row}`), { anchor: row, offset: Math.round(element.getBoundingClientRect().top), pages })
}

export interface KeptPositionOptions {
  /** Rows on the screen; a change means new rows. */
  count: number
  /** Loaded pages. */
  pages: number
  canLoadMore: boolean
  loadMore: () => void
  /** Other rows may be about to replace these: the position is not given up before. */
  awaitsRows?: boolean
  /**
   * Whether to scroll to the row named by the address (#id), when there is no position to restore.
   */
  goesToFragment?: boolean
}

/**
 * Rows have an id and `data-keep`, and are in list order in the document. Returns a ref that is
 * true when a stored position was found, until its row turns out to be gone; it is valid in the
 * effects of the caller.
 */
export function useKeptPosition({
  count,
  pages,
  canLoadMore,
  loadMore,
  awaitsRows = false,
  goesToFragment = false,
}: KeptPositionOptions): RefObject<boolean> {
  const location = useLocation()
  const returned = useNavigationType() === 'POP'
  const key = keyOf(location)
  const address = addressOf(location)
  const latest = useRef({ pages, loadMore })
  useLayoutEffect(() => {
    latest.current = { pages, loadMore }
  })
  const wanted = useRef<{ key: string; position: KeptPosition | null } | null>(null)
  const release = useRef<(() => void) | null>(null)
  const cameBack = useRef(false)

  useLayoutEffect(() => {
    if (wanted.current?.key !== key) {
      const remembered = returned ? load(key) : null
      cameBack.current = remembered !== null
      const named = goesToFragment ? (load(address) ?? placeOf(location.hash)) : null
      wanted.current = { key, position: remembered ?? named }
    }
    const { position } = wanted.current
    if (position === null) return
    if (rowOf(position.anchor) !== null) {
      wanted.current = { key, position: null }
      release.current = holdRow(position, () => {
        release.current = null
      })
    } else if (canLoadMore && pages < position.pages) {
      latest.current.loadMore()
    } else if (!awaitsRows) {
      wanted.current = { key, position: null }
      cameBack.current = false
    }
  }, [key, returned, address, location.hash, goesToFragment, count, pages, canLoadMore, awaitsRows])

  useEffect(() => () => release.current?.(), [key])

  // A layout effect, so that the listeners are removed before the rows of the next page are shown
  // and scrolled.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = () => {
      clearTimeout(timer)
      timer = undefined
      // While a position is being restored or held, the current one is not stored.
      if (wanted.current?.position != null || release.current !== null) return
      const position = measure(latest.current.pages)
      if (position !== null) save(key, position)
    }
    const onScroll = () => {
      timer ??= setTimeout(remember, SAVE_AFTER_MS)
    }
    addEventListener('scroll', onScroll, { passive: true })
    // A click may lead away from the list at once.
    document.addEventListener('click', remember, { capture: true })
    addEventListener('pagehide', remember)
    return () => {
      clearTimeout(timer)
      removeEventListener('scroll', onScroll)
      document.removeEventListener('click', remember, { capture: true })
      removeEventListener('pagehide', remember)
    }
  }, [key])

  return cameBack
}
