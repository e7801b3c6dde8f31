/**
 * Items of lists whose markup the server keeps: of a thread's fifty posts hardly one has changed
 * since the page was rendered last. The markup is that of React, so that the browser hydrates it.
 * It is kept from the second time on, because most old threads are opened once.
 */
import type { ReactNode } from 'react'

/** Memory of one process, keys included: some 2,500 posts. */
const CHARACTERS_MAX = 5_000_000

/** Markup by key, the one used last at the end. */
const kept = new Map<string, string>()
let characters = 0

/** Keys that were rendered once; forgotten all together. */
const seen = new Set<string>()
const SEEN_MAX = 2_000

/** Whether a key is rendered for the first time, as far as is known. */
function isNew(key: string): boolean {
  if (seen.delete(key)) return false
  if (seen.size >= SEEN_MAX) seen.clear()
  seen.add(key)
  return true
}

/** A slice of a string keeps all of it in memory; a copy does not. */
const copy = (text: string): string => new TextDecoder().decode(new TextEncoder().encode(text))

function find(key: string): string | undefined {
  const markup = kept.get(key)
  if (markup === undefined) return undefined
  kept.delete(key)
  kept.set(key, markup)
  return markup
}

function keep(key: string, markup: string): void {
  if (kept.has(key)) return
  kept.set(key, copy(markup))
  characters += key.length + markup.length
  for (const [oldest, its] of kept) {
    if (characters <= CHARACTERS_MAX) return
    kept.delete(oldest)
    characters -= oldest.length + its.length
  }
}

/** Keys of the items of the page being rendered whose markup is not kept yet. */
const missing: string[] = []

interface KeptItemProps {
  /**
   * Names everything that the markup depends on; null for an item that is not kept, and in the
   * browser.
   */
  by: string | null
  /** Not shown; only in the browser. */
  hidden?: boolean
  children: ReactNode
}

/** A `<li>`. Content with deferred parts or with ids by `useId` is not kept. */
export function KeptItem({ by, hidden, children }: KeptItemProps) {
  if (!import.meta.env.SSR || by === null) return <li hidden={hidden}>{children}</li>
  const markup = find(by)
  // Rendered by React before.
  if (markup !== undefined) return <li dangerouslySetInnerHTML={{ __html: markup }} />
  if (isNew(by)) return <li>{children}</li>
  // keepMarkup() removes these attributes, and the element.
  const index = missing.push(by) - 1
  return (
    <li data-keep-from={index}>
      {children}
      <i data-keep-to={index} />
    </li>
  )
}

/** Suspense boundaries, and ids by `useId`. */
const UNKEPT = /<!--\$|"_R_/

/**
 * Renders a page, and keeps the markup of its new items. Rendering is synchronous, so pages do not
 * mix.
 */
export function keepMarkup(render: () => string): string {
  missing.length = 0
  const html = render()
  if (missing.length === 0) return html
  let page = ''
  let end = 0
  for (const [index, key] of missing.entries()) {
    const from = `<li data-keep-from="${index}">`
    const to = `<i data-keep-to="${index}"></i>`
    const start = html.indexOf(from, end)
    const stop = html.indexOf(to, start)
    // A page that failed half-way contains neither.
    if (start === -1 || stop === -1) continue
    const markup = html.slice(start + from.length, stop)
    if (!UNKEPT.test(markup)) keep(key, markup)
    page += `${html.slice(end, start)}<li>${markup}`
    end = stop + to.length
  }
  missing.length = 0
  return page + html.slice(end)
}

/** Number and size of what is kept. */
export const keptMarkup = (): { readonly items: number; readonly characters: number } => ({
  items: kept.size,
  characters,
})
