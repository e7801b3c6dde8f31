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
