import type { AdminUser, RoleInput } from '@shinobi/contract/admin'
import { inTransaction } from '../../db/transaction.ts'
import { selectPage, type NumberedPage } from '../../db/tallies.ts'
import type { Deps } from '../../deps.ts'
import { refuse } from '../../lib/api-error.ts'
import { changeRole, refreshModerators } from '../accounts/roles.service.ts'
import { findUsers, selectAdminUsers, type WantedPage } from './admin-lists.queries.ts'
import { toAdminUser } from './admin.view.ts'

/** Ids of a page of users; with the beginning of a name or mail address, of those who have it, on one page. */
export async function findUsersPage(
  { db }: Pick<Deps, 'db'>,
  { q = '', ...wanted }: WantedPage & { readonly q?: string | undefined },
): Promise<NumberedPage> {
  if (q.trim() === '') return selectPage(db, 'users', wanted)
  // What cannot be stored is nobody's name.
  const isStorable = q.isWellFormed() && !q.includes('\0')
  const ids = isStorable && wanted.page === 1 ? await findUsers(db, q, wanted.limit) : []
  return { ids, total: ids.length }
}

/** Gives a member another role, effective with the member's next call. @throws ApiError see changeRole() */
export async function assignRole(
  { db, now, live, settings }: Deps,
  actor: { readonly id: string; readonly name: string },
  userId: string,
  input: RoleInput,
): Promise<AdminUser> {
  const at = new Date(now())
  await inTransaction(db, async (tx) => {
    await changeRole(tx, { ...input, userId, actor, at })
    await refreshModerators(tx, live, [userId], at)
  })
  const [row] = await selectAdminUsers(db, [userId], at)
  if (row === undefined) throw refuse('not_found', 'user_not_found')
  return toAdminUser(row, settings.current)
}
