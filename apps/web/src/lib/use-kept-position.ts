/**
 * A list is found again where it was left, after Back and after a reload: remembered is the first row in view and how far
 * from the top it stood, because pixel positions mean nothing when rows above are laid out late (content-visibility)
 * or more pages have to be fetched first.
 */
import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react'
import { useLocation, useNavigationType, type Location } from 'react-router'
import { readStored, writeStored } from './storage.ts'

export interface KeptPosition {
  /** `data-keep` of the first row in view. */
  anchor: string
  /** Its top edge, in pixels from the top of the window. */
  offset: number
  /** Pages that were loaded. */
  pages: number
}

const PREFIX = 'position:'
const SAVE_AFTER_MS = 150
/** Late layout settles within this time; after it the visitor scrolls alone. */
const SETTLE_MS = 1_000
/** Rows under this line count as in view: the header covers what is above. */
const TOP_LINE = 64

/** Index of the first of `count` stacked rows that ends below `line`, or -1. */
export function firstInView(count: number, bottomOf: (index: number) => number, line: number): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >> 1
    if (bottomOf(middle) > line) high = middle
    else low = middle + 1
  }
  return low < count ? low : -1
}

/** What was remembered, or null if it cannot be read. */
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

/** Entries that the browser made have the key "default", whatever their address: the first of a tab, and those of a typed #id. */
const keyOf = (location: Location) => `${location.key}:${addressOf(location)}`

function load(key: string): KeptPosition | null {
  return parsePosition(readStored(PREFIX + key, 'sessionStorage'))
}

function save(key: string, position: KeptPosition): void {
  writeStored(PREFIX + key, JSON.stringify(position), 'sessionStorage')
}

/** What a visitor hides (display: none) stands nowhere. */
const isShown = (row: HTMLElement): boolean => row.offsetParent !== null

function rowOf(anchor: string): HTMLElement | null {
  const row = document.querySelector<HTMLElement>(`[data-keep="${CSS.escape(anchor)}"]`)
  return row !== null && isShown(row) ? row : null
}

/** Where a row named by the address shall stand: a third down, where it is seen together with its neighbours. */
const placeOf = (hash: string): KeptPosition | null =>
  hash.length > 1 ? { anchor: hash.slice(1), offset: Math.round(innerHeight / 3), pages: 0 } : null

function measure(pages: number): KeptPosition | null {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-keep]')].filter(isShown)
  const index = firstInView(rows.length, (at) => rows[at]?.getBoundingClientRect().bottom ?? 0, TOP_LINE)
  const row = rows[index]
  const anchor = row?.getAttribute('data-keep')
  if (row === undefined || anchor == null) return null
  return { anchor, offset: Math.round(row.getBoundingClientRect().top), pages }
}

/** Brings the row to its place and holds it there while the rows above it find their heights; returns a way to stop. */
function holdRow(position: KeptPosition): () => void {
  const until = performance.now() + SETTLE_MS
  let frame = 0
  const stop = () => {
    cancelAnimationFrame(frame)
    for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) removeEventListener(type, stop)
  }
  const step = () => {
    const row = rowOf(position.anchor)
    if (row === null || performance.now() > until) return stop()
    const off = row.getBoundingClientRect().top - position.offset
    if (Math.abs(off) > 1) scrollBy({ top: off, behavior: 'instant' })
    frame = requestAnimationFrame(step)
  }
  for (const type of ['wheel', 'touchstart', 'pointerdown', 'keydown']) addEventListener(type, stop, { passive: true })
  step()
  return stop
}

/** Who is led to `#row` of this page, from another one, shall find the row where it stands now. */
export function keepPlace(location: Location, row: string): void {
  const element = rowOf(row)
  if (element === null) return
  const { pages } = load(keyOf(location)) ?? { pages: 0 }
  save(addressOf(location, `#${row}`), { anchor: row, offset: Math.round(element.getBoundingClientRect().top), pages })
}

export interface KeptPositionOptions {
  /** Rows on the screen; a change means that new ones came. */
  count: number
  /** Pages loaded. */
  pages: number
  canLoadMore: boolean
  loadMore: () => void
  /** Whether a row that the address names (#id) is brought into view here, when there is no place to return to. */
  goesToFragment?: boolean
}

/**
 * Rows carry `data-keep={id}` and stand in the document in the order of the list. Answers whether the visitor came back to
 * a place that was remembered: right in the effects of what calls it.
 */
export function useKeptPosition({
  count,
  pages,
  canLoadMore,
  loadMore,
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
      release.current = holdRow(position)
    } else if (canLoadMore && pages < position.pages) {
      latest.current.loadMore()
    } else {
      wanted.current = { key, position: null }
    }
  }, [key, returned, address, location.hash, goesToFragment, count, pages, canLoadMore])

  useEffect(() => () => release.current?.(), [key])

  // In the layout phase, so that nobody listens any more when the next page's rows are there and it is scrolled to its place.
  useLayoutEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const remember = () => {
      clearTimeout(timer)
      timer = undefined
      // While the old place is still being looked for, the present one is no news.
      if (wanted.current?.position != null) return
      const position = measure(latest.current.pages)
      if (position !== null) save(key, position)
    }
    const onScroll = () => {
      timer ??= setTimeout(remember, SAVE_AFTER_MS)
    }
    addEventListener('scroll', onScroll, { passive: true })
    // A press may lead away from the list at once.
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
