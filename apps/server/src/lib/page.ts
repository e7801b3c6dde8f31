/**
 * Splits rows, of which one more than a page was read, into the page and the id from which the next
 * one continues; null at the end.
 */
export function toPage<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
): { readonly page: readonly Row[]; readonly next: string | null } {
  const page = rows.slice(0, limit)
  return { page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/**
 * Maximum bytes of the texts on one page of posts; a page has one post at least. Fifty posts of
 * 1,300 kanji fit. A hundred of joined emoji would have five megabytes, whose encoding keeps all
 * other requests waiting.
 */
export const PAGE_TEXT_MAX = 200_000
