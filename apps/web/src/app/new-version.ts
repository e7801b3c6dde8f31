/**
 * A new version of the board: open pages learn of it, offer it (public/boot.js), and never load it
 * by themselves while somebody may be typing.
 */
import { startStopwatch } from '../lib/stopwatch.ts'

declare global {
  interface Window {
    /** Whether the server has another build than this page; offers it if so (boot.js). */
    findNewVersion?: () => Promise<boolean>
  }
}

/** Time between two looks. */
const LOOK_EVERY_MS = 5 * 60_000
/** A page that returns looks at once, but not at each switch of tabs. */
const LOOK_AGAIN_MS = 30_000

/** @returns a function that ends it */
export function followVersion(): () => void {
  let isNew = false
  let sinceLook = (): number => Infinity
  const look = async (every: number) => {
    if (isNew || document.visibilityState !== 'visible' || sinceLook() < every) return
    sinceLook = startStopwatch()
    isNew = (await window.findNewVersion?.().catch(() => false)) === true
  }
  const page = new AbortController()
  const { signal } = page
  const timer = setInterval(() => void look(LOOK_EVERY_MS), LOOK_AGAIN_MS)
  document.addEventListener('visibilitychange', () => void look(LOOK_AGAIN_MS), { signal })
  addEventListener('online', () => void look(0), { signal })
  // The browser loads the document of a link, in place of the old script's screen, where no text is
  // lost by that.
  document.addEventListener(
    'click',
    (event) => {
      if (isNew && !isTyping() && isPlainPress(event)) event.stopPropagation()
    },
    { capture: true, signal },
  )
  void look(0)
  return () => {
    clearInterval(timer)
    page.abort()
  }
}

/** Leaving a page empties other fields in any case. */
const isTyping = (): boolean => Array.from(document.querySelectorAll('textarea')).some(({ value }) => value !== '')

/** A press that leads to another page of the board, in this tab. */
function isPlainPress(event: MouseEvent): boolean {
  const { target, button, defaultPrevented } = event
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  if (link === null || defaultPrevented || button !== 0) return false
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return false
  const isElsewhere = link.pathname + link.search !== location.pathname + location.search
  return link.origin === location.origin && isElsewhere && link.target === '' && !link.hasAttribute('download')
}
