import type { AdminPost, AdminThread, AdminUser } from '@shinobi/contract/admin'
import type { Pagination } from '@shinobi/contract/common'
import { needsSecondFactor, type SecondFactorPolicy } from '../accounts/second-factor.rules.ts'
import type { NumberedPage } from '../../db/tallies.ts'
import { toUser } from '../accounts/users.view.ts'
import { toPost } from '../posts/posts.view.ts'
import { toThreadItem } from '../threads/threads.view.ts'
import type { AdminPostRow, AdminThreadRow, AdminUserRow, WantedPage } from './admin-lists.queries.ts'

/** @param policy settings that require a second factor */
export function toAdminUser(row: AdminUserRow, policy: SecondFactorPolicy): AdminUser {
  const { moderator, categoryIds, secondFactorAt, createdAt, emailVerifiedAt, banned, ...rest } = row
  const user = { ...rest, moderates: moderator === null ? null : (categoryIds ?? ('all' as const)) }
  const secondFactor = secondFactorAt !== null
  return {
    ...toUser({
      ...user,
      secondFactorMissing: !secondFactor && needsSecondFactor(policy, user),
    }),
    createdAt: createdAt.toISOString(),
    emailVerified: emailVerifiedAt !== null,
    secondFactor,
    banned,
  }
}

/** @param postLimit posts of a thread whose category has no limit of its own */
export const toAdminThread = (row: AdminThreadRow, postLimit: number): AdminThread => ({
  ...toThreadItem(row, postLimit),
  categoryId: { _id: row.categoryId, name: row.category },
  createdBy: row.userId === null || row.creator === null ? null : { _id: row.userId, name: row.creator },
  removed: row.removedAt !== null,
})

/**
 * Includes the text of a removed post as long as it is kept: a moderator who may restore it may
 * read it.
 */
export const toAdminPost = (row: AdminPostRow): AdminPost => ({
  ...toPost({ ...row, deletedAt: null }),
  deleted: row.deletedAt !== null,
  threadId: { _id: row.threadId, title: row.title },
  userId: row.userId === null || row.writer === null ? null : { _id: row.userId, name: row.writer },
})

/** An empty list has one page. */
export const toPagination = (
  { page, limit }: WantedPage,
  { total, partial }: Pick<NumberedPage, 'total' | 'partial'>,
): Pagination => ({
  page,
  totalPages: Math.max(1, Math.ceil(total / limit)),
  total,
  ...(partial === true && { partial }),
})
