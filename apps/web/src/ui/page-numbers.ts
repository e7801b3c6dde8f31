/** Pages beside the one that is shown, on each side. */
const AROUND = 2

/**
 * What a pagination shows: the first and the last page, those around the current one, and null where some are left out. A gap of a
 * single page is that page.
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

/** The page that somebody typed, as near as there is one; null for what is no number. Full-width digits are digits. */
export function readPageNumber(text: string, total: number): number | null {
  const digits = text.normalize('NFKC').trim()
  if (!/^\d{1,9}$/.test(digits)) return null
  return Math.min(Math.max(1, Number(digits)), Math.max(1, total))
}
