/**
 * Which rows of a list are on screen. They have an id and `data-keep`, and are in list order in the
 * document. Nothing here visits all rows: long threads have thousands.
 */

/** A row hidden by the visitor (display: none) has no position. */
export const isShown = (row: HTMLElement): boolean => row.offsetParent !== null

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

/** The rows that end below `line`, from the top; they may be in several lists in a row. */
export function* rowsBelow(line: number): Generator<HTMLElement> {
  const lists = document.querySelector('[data-keep]')?.closest('ol, ul')?.parentElement?.children ?? []
  for (const list of below(lists, line)) {
    if (!list.matches('ol, ul')) continue
    for (const item of below(list.children, line)) {
      const row = item.matches('[data-keep]') ? item : item.querySelector<HTMLElement>('[data-keep]')
      if (row !== null) yield row
    }
  }
}

/** The shown ones among stacked elements that end below `line`, without measuring all. */
function* below(stacked: ArrayLike<Element>, line: number): Generator<HTMLElement> {
  const elements = stacked as ArrayLike<HTMLElement>
  const bottomOf = (index: number): number => {
    let at = index
    // In place of a hidden one counts the one before it.
    while (at > 0 && !isShown(elements[at]!)) at -= 1
    return elements[at]!.getBoundingClientRect().bottom
  }
  const first = firstInView(elements.length, bottomOf, line)
  for (let at = first; at >= 0 && at < elements.length; at += 1) if (isShown(elements[at]!)) yield elements[at]!
}
