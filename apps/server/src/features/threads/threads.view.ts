import type { SearchMatch, Thread, ThreadItem, ThreadLink, ThreadPosition } from '@shinobi/contract/threads'
import type { StoredImage } from '../../db/tables.ts'
import { imageUrl, thumbnailUrl } from '../images/image-store.ts'
import { toOwnerAction } from './owner-actions.ts'
import type { ThreadRow, ThreadWithOpening } from './threads.queries.ts'

/** The four image fields of threads and posts. */
export const toImageFields = (image: StoredImage | null) => ({
  imageUrl: image === null ? null : imageUrl(image),
  thumbnailUrl: image === null ? null : thumbnailUrl(image),
  imageWidth: image?.width ?? null,
  imageHeight: image?.height ?? null,
})

/**
 * @param postLimit posts of a thread whose category has no limit of its own
 * @param match why a search found it
 */
export const toThreadItem = (row: ThreadRow, postLimit: number, match?: SearchMatch): ThreadItem => ({
  _id: row.id,
  title: row.title,
  excerpt: row.excerpt,
  category: row.category,
  categoryId: row.categoryId,
  ...toImageFields(row.image),
  nickname: row.nickname,
  ...(row.trip !== null && { trip: row.trip }),
  // The row of a thread keeps its opener while post 1 is removed, with neither name nor text.
  userId: row.nickname === null && row.excerpt === '' ? null : row.userId,
  createdAt: row.createdAt.toISOString(),
  lastPostAt: row.lastPostAt.toISOString(),
  aiGenerated: row.aiGenerated,
  summary: row.summary,
  sourceSite: row.sourceSite,
  sourceUrl: row.sourceUrl,
  likes: row.likes,
  postCount: row.postCount,
  sages: row.sages,
  locked: row.lockedAt !== null,
  // A closed thread keeps the number it was closed at.
  postLimit: row.closedAt === null ? (row.categoryPostLimit ?? postLimit) : row.postCount,
  closedAt: row.closedAt?.toISOString() ?? null,
  pinned: row.pinned,
  ...(match !== undefined && { match }),
})

/** The threads before and after a thread, as far as they are visible. */
export interface ThreadLinks {
  readonly previous: ThreadLink | null
  readonly next: ThreadLink | null
}

export const toThread = (row: ThreadWithOpening, links: ThreadLinks, postLimit: number): Thread => ({
  ...toThreadItem(row, postLimit),
  content: row.content,
  revision: row.revision,
  ...links,
  ownerActions: row.ownerActions.map(toOwnerAction),
})

/** In the order of the ids. */
export function toPositions(
  ids: readonly string[],
  rows: readonly Pick<ThreadRow, 'id' | 'title' | 'categoryId' | 'postCount' | 'lastPostAt' | 'lockedAt'>[],
): ThreadPosition[] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.map((id) => {
    const row = byId.get(id)
    if (row === undefined) return { _id: id, state: 'removed' }
    const { title, categoryId, postCount } = row
    const state = row.lockedAt === null ? 'open' : 'locked'
    return { _id: id, state, title, categoryId, postCount, lastPostAt: row.lastPostAt.toISOString() }
  })
}
