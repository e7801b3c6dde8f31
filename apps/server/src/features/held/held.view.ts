import type { HeldItem } from '@shinobi/contract/moderation'
import { toImageFields } from '../threads/threads.view.ts'
import type { HeldRow } from './held.queries.ts'

export const toHeldItem = (row: HeldRow): HeldItem => ({
  _id: row.id,
  kind: row.threadId === null ? 'thread' : 'post',
  thread:
    row.threadId === null
      ? null
      : {
          _id: row.threadId,
          title: row.title ?? '',
          category: row.category,
          categoryId: row.categoryId,
          locked: row.lockedAt !== null,
          removed: false,
        },
  title: row.payload.title ?? null,
  category: row.category,
  name: row.payload.name,
  isMember: row.userId !== null,
  ...(row.payload.asStaff === true && { staff: true as const }),
  content: row.payload.content,
  ...toImageFields(row.payload.image),
  why: row.why,
  detail: row.detail,
  createdAt: row.createdAt.toISOString(),
})
