/** Pages on each side of the current one. */
const AROUND = 2

/**
 * The pages that a pagination shows: the first and the last page, those around the current one, and
 * null for a gap. A single page is shown instead of a gap.
 */
export function pageNumbers(current: number, total: number): (number | null)[] {
  const shown = new Set([1, total])
  for (let page = current - AROUND; page <= current + AROUND; page += 1) if (page > 0 && page <= total) shown.add(page)
  const pages = [...shown].toSorted((a, b) => a - b)
  return pages.flatMap((page, index) => {
    const before = pages[index - 1] ?? page - 1
    if (page - before === 1) return [page]
    return page - before === 2 ? [page - 1, page] : [null, page]
  })
}

/**
 * The page number that was typed, limited to existing pages; null if it is not a number. Full-width
 * digits count as digits.
 */
export function readPageNumber(text: string, total: number): number | null {
  const digits = text.normalize('NFKC').trim()
  if (!/^\d{1,9}$/.test(digits)) return null
  return Math.min(Math.max(1, Number(digits)), Math.max(1, total))
}
