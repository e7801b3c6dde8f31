import { useLayoutEffect, useRef, type FocusEvent } from 'react'

interface FocusHandlers {
  readonly onFocus: (event: FocusEvent<HTMLElement>) => void
  readonly onBlur: () => void
}

/**
 * A post that is hidden while it has the focus passes it on: to 表示 in the line that it leaves, or
 * else to the next post; and that line to the post when it is shown. Otherwise a keyboard would
 * begin again at the top of the page.
 */
export function useHiddenFocus(): FocusHandlers {
  const item = useRef<Element | null>(null)
  useLayoutEffect(() => {
    // React sends no blur for an element that it removes itself.
    if (item.current !== null && document.activeElement === document.body) successorOf(item.current)?.focus()
  })
  return {
    onFocus({ target, currentTarget }) {
      item.current = itemsOf(currentTarget).find((child) => child.contains(target)) ?? null
    },
    onBlur() {
      item.current = null
    },
  }
}

const itemsOf = (list: Element): Element[] => Array.from(list.querySelectorAll(':scope > ol > li'))

/** The post in its place, the button of its line, or the nearest post, rather one below. */
function successorOf(item: Element): HTMLElement | null {
  if (item.checkVisibility()) return item.querySelector('article[data-post]') ?? item.querySelector('article button')
  const list = item.parentElement!.parentElement!
  const articles = Array.from(list.querySelectorAll<HTMLElement>(':scope > ol > li > article'))
  const shown = articles.filter((article) => article.checkVisibility())
  const isBelow = (article: HTMLElement) =>
    (item.compareDocumentPosition(article) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
  return shown.find(isBelow) ?? shown.at(-1) ?? null
}
