/** Authentication by password. */
import { holdsAt } from '@shinobi/contract/credentials'
import type { FastifyRequest } from 'fastify'
import type { Member } from '../../http/session.ts'
import { addressPrefix } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { claimsDevice, codedDevice, knownDevice } from './known-device.ts'
import { verifyPassword } from './passwords.ts'
import { foldEmail, selectUser, selectUserByEmail, selectUserByName, type UserRow } from './users.queries.ts'

/**
 * Returns the user of a name (or mail address) and password.
 * @throws ApiError bad_credentials, the same answer after the same time whether the name or the
 * password is wrong; too_many_requests after too many failures, whether or not the name exists;
 * unavailable when too many log-ins are waiting
 */
export async function checkLogin(
  deps: AccountsDeps,
  request: FastifyRequest,
  { username, password }: { readonly username: string; readonly password: string },
): Promise<UserRow> {
  const { db, accountLimits } = deps
  const isEmail = holdsAt(username)
  const email = username.trim()
  const key = isEmail ? foldEmail(email) : foldName(username)
  // A text that cannot be stored is no member's name.
  const isStorable = key.isWellFormed() && !key.includes('\0')
  const find = async (): Promise<UserRow | undefined> =>
    !isStorable ? undefined : isEmail ? selectUserByEmail(db, email) : selectUserByName(db, key)
  // Attempts from unknown devices are throttled before they cost a database query.
  const claimed = claimsDevice(deps, request) ? await find() : undefined
  const address = addressPrefix(request.ip)
  const device = claimed === undefined ? null : knownDevice(deps, request, claimed.id)
  const isCoded = claimed !== undefined && codedDevice(deps, request, claimed.id) !== null
  const found = await accountLimits.logins.check({ account: key, address, device, isCoded }, () =>
    verifyPassword(async () => claimed ?? find(), password, request.ip),
  )
  if (found === undefined) throw refuse('bad_credentials', 'login_failed')
  return found
}

/**
 * Asks for the password again before an action that cannot be undone. An account without a password
 * (Google alone) has nothing to ask for. Attempts are counted by session, so that strangers' log-in
 * attempts never block a member who is logged in.
 * @returns the hash that was compared with, null without one
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError bad_password, too_many_requests like a log-in, unavailable
 */
export async function confirmPassword(
  { db, accountLimits }: AccountsDeps,
  { id, sessionId }: Pick<Member, 'id' | 'sessionId'>,
  password: string | undefined,
  address: string,
): Promise<string | null> {
  const user = await selectUser(db, id)
  if (user === undefined) throw refuse('unauthorized', 'session_expired')
  const { passwordHash } = user
  if (passwordHash === null) return null
  const found = await accountLimits.logins.check({ account: foldName(user.name), address, device: sessionId }, () =>
    verifyPassword(async () => user, password ?? '', address),
  )
  if (found === undefined) throw refuse('bad_password', 'password_wrong')
  return passwordHash
}
