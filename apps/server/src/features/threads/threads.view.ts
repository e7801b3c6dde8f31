import type { Thread, ThreadItem, TrendingItem } from '@shinobi/contract/threads'
import { imageUrl, thumbnailUrl, type StoredImage } from '../../lib/image-store.ts'
import { toScore } from './threads.heat.ts'
import type { ThreadRow } from './threads.queries.ts'

/** The four image fields of threads and posts. */
export const toImageFields = (image: StoredImage | null) => ({
  imageUrl: image === null ? null : imageUrl(image),
  thumbnailUrl: image === null ? null : thumbnailUrl(image),
  imageWidth: image?.width ?? null,
  imageHeight: image?.height ?? null,
})

export const toThreadItem = (row: ThreadRow): ThreadItem => ({
  _id: row.id,
  title: row.title,
  excerpt: row.excerpt,
  category: row.category,
  categoryId: row.categoryId,
  ...toImageFields(row.image),
  nickname: row.nickname,
  userId: row.userId,
  createdAt: row.createdAt.toISOString(),
  lastPostAt: row.lastPostAt.toISOString(),
  aiGenerated: row.aiGenerated,
  summary: row.summary,
  sourceSite: row.sourceSite,
  sourceUrl: row.sourceUrl,
  likes: row.likes,
  postCount: row.postCount,
  locked: row.lockedAt !== null,
  pinned: row.pinned,
})

export const toThread = (row: ThreadRow & { readonly content: string }): Thread => ({
  ...toThreadItem(row),
  content: row.content,
  revision: row.revision,
})

export const toTrendingItem = (row: ThreadRow, now: number): TrendingItem => ({
  ...toThreadItem(row),
  score: toScore(row.rankedHeat, now),
})
