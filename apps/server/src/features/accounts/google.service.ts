/** Log-in and registration with a Google account. */
import type { FastifyRequest } from 'fastify'
import type { Transaction } from 'kysely'
import { generateNinjaName } from '@shinobi/contract/ninja-name'
import { inTransaction } from '../../db/transaction.ts'
import type { Tables } from '../../db/tables.ts'
import { addressPrefix } from '../../http/visitor.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { hashToken } from '../../lib/secret-token.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { expectedNonce } from './google-nonce.ts'
import type { GoogleIdentity } from './google-token.ts'
import { codedDevice } from './known-device.ts'
import { requireCode } from './second-factor.service.ts'
import { takeName } from './user-names.queries.ts'
import {
  insertUser,
  selectUser,
  selectUserByEmail,
  selectUserByGoogle,
  updateUser,
  type UserRow,
} from './users.queries.ts'

type Tx = Transaction<Tables>

export interface GoogleLogin {
  readonly row: UserRow
  /**
   * known: the Google account was linked before. joined: it is now linked to the account that has
   * confirmed its mail address. created: a new account.
   */
  readonly outcome: 'known' | 'joined' | 'created'
}

/**
 * Returns the user of a Google account: the one it is linked to, else the one who has confirmed its
 * mail address, else a new one. An account with that address unconfirmed is not changed.
 * @throws ApiError bad_credentials (also for a token that was used before, and for one requested by
 * another browser), forbidden for a mail address that Google has not verified, taken when the
 * member of the address is linked to another Google account, code_required and bad_code for an
 * account with a second factor, too_many_requests, unavailable without GOOGLE_CLIENT_ID or Google's
 * keys, read_only and disk_full where a new account would be opened
 */
export async function logInWithGoogle(
  deps: AccountsDeps,
  request: FastifyRequest,
  { credential, code: typed }: { readonly credential: string; readonly code?: string | undefined },
): Promise<GoogleLogin & { readonly withCode: boolean }> {
  const address = addressPrefix(request.ip)
  const identity = await identify(deps, request, credential)
  const logIn = () =>
    inTransaction(deps.db, async (tx) => {
      const found = await findOrCreate(deps, tx, identity, address)
      // In the transaction, so that a missing code rolls the link back too.
      const userId = found.row.id
      const attempt = { userId, typed, address, device: codedDevice(deps, request, userId) }
      return { ...found, withCode: await requireCode(deps, tx, attempt) }
    })
  const found = await logIn().catch((error: unknown) => {
    // A concurrent request inserted the account first: log in to it.
    if (isUniqueViolation(error)) return logIn()
    throw error
  })
  // Only after the log-in: a client that is asked for a code sends the same token again with it.
  await deps.accountLimits.googleTokens.take(hashToken(credential))
  return found
}

/** Verifies a token. Invalid tokens count against the limits of password attempts. */
async function identify(deps: AccountsDeps, request: FastifyRequest, credential: string): Promise<GoogleIdentity> {
  const { verifyGoogleToken, accountLimits } = deps
  if (verifyGoogleToken === null) throw refuse('unavailable', 'google_unavailable')
  const identity = await accountLimits.logins.check({ account: null, address: addressPrefix(request.ip) }, async () => {
    const claimed = await verifyGoogleToken(credential)
    return claimed?.nonce === expectedNonce(deps, request) ? claimed : undefined
  })
  if (identity === undefined) throw refuse('bad_credentials', 'google_login_failed')
  return identity
}

async function findOrCreate(
  deps: AccountsDeps,
  tx: Tx,
  identity: GoogleIdentity,
  address: string,
): Promise<GoogleLogin> {
  const { subject, verifiedEmail } = identity
  const known = await selectUserByGoogle(tx, subject)
  if (known !== undefined) return { row: known, outcome: 'known' }
  if (verifiedEmail === null) throw refuse('forbidden', 'google_email_unverified')
  const user = await selectUserByEmail(tx, verifiedEmail)
  // A concurrent request of the same sign-in committed between the two queries.
  if (user?.googleSubject === subject) return { row: user, outcome: 'known' }
  if (user !== undefined) return join(tx, user, subject)
  deps.writability.require('text')
  await deps.accountLimits.registrations.take(address)
  return { row: await create(deps, tx, identity), outcome: 'created' }
}

/** Links the account that has confirmed the mail address to the Google account. */
async function join(tx: Tx, user: UserRow, subject: string): Promise<GoogleLogin> {
  // The address changed hands at Google, or its Google account was recreated: the member must log
  // in by the password or a mailed link.
  if (user.googleSubject !== null) throw refuse('taken', 'email_taken')
  await updateUser(tx, user.id, { googleSubject: subject })
  return { row: user, outcome: 'joined' }
}

/**
 * A new member does not get the name from Google: it would reveal a real name on an anonymous
 * board.
 */
async function create({ now }: AccountsDeps, tx: Tx, { subject, verifiedEmail }: GoogleIdentity): Promise<UserRow> {
  const at = new Date(now())
  const id = uuidv7(now())
  const name = generateNinjaName()
  await insertUser(tx, {
    id,
    name,
    email: verifiedEmail,
    emailVerifiedAt: at,
    passwordHash: null,
    googleSubject: subject,
    at,
  })
  if (!(await takeName(tx, id, foldName(name), at)))
    throw new Error('a generated name was taken: one chance in a billion')
  return (await selectUser(tx, id))!
}
