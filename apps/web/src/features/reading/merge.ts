/** Merges what two places know of one thread: a file, another page, another device; pure. */
import { later, mergeEntries } from '@shinobi/contract/notebook-entry'
import type { ThreadRecord } from './record.ts'

/** One record of two of the same thread, in either order. */
export function mergeRecords(a: ThreadRecord, b: ThreadRecord): ThreadRecord {
  const newer = a.updatedAt > b.updatedAt || (a.updatedAt === b.updatedAt && a.title >= b.title) ? a : b
  const older = newer === a ? b : a
  const lastPostAt = later(a.lastPostAt, b.lastPostAt)
  return {
    ...mergeEntries(a, b),
    title: newer.title || older.title,
    categoryId: newer.categoryId ?? older.categoryId,
    postCount: Math.max(a.postCount, b.postCount),
    ...(lastPostAt !== null && { lastPostAt }),
  }
}
