import type { Deps } from '../../deps.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { verifyPassword } from './passwords.ts'
import { selectUserByEmail, selectUserByName, type UserRow } from './users.queries.ts'

/**
 * The user of a name (or mail address) and password.
 * @throws ApiError bad_credentials, the same and after the same time whether the name or the password is wrong
 */
export async function checkLogin({ db }: Deps, username: string, password: string): Promise<UserRow> {
  const user = username.includes('@')
    ? await selectUserByEmail(db, username.trim())
    : await selectUserByName(db, foldName(username))
  const right = await verifyPassword(user?.passwordHash ?? null, password)
  if (user === undefined || !right) throw refuse('bad_credentials', 'login_failed')
  return user
}
