/** Registration. */
import type { Db } from '../../db/client.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { refuseName, refusePassword } from './account-rules.ts'
import type { AccountsDeps } from './accounts.deps.ts'
import { allowVerificationMail } from './email.service.ts'
import { hashPassword } from './passwords.ts'
import { takeName } from './user-names.queries.ts'
import { insertUser, selectUser, type NewUser, type UserRow } from './users.queries.ts'

export interface Registration {
  readonly username: string
  readonly email: string
  readonly password: string
}

/**
 * Creates an account; with a mail server, a mail to confirm the address follows. The answer does
 * not reveal whether another member has the mail address: only a mail to it does.
 * @param address prefix of the client's address, see addressPrefix()
 * @throws ApiError taken (the name), banned_word, bad_password, too_many_requests, unavailable when
 * too many hashes wait
 */
export async function registerMember(
  deps: AccountsDeps,
  { username, email, password }: Registration,
  address: string,
): Promise<UserRow> {
  const { db, now, words, accountLimits } = deps
  refuseName(words, username)
  refusePassword(password, { name: username, email })
  await accountLimits.registrations.take(address)
  // Before the transaction, so that no connection is held while a hash waits.
  const passwordHash = await hashPassword(password, address)
  const id = uuidv7(now())
  const mail = await allowVerificationMail(deps, { userId: id, email })
  try {
    return await inTransaction(db, async (tx) => {
      await insertMember(tx, { id, name: username, email, passwordHash, at: new Date(now()) })
      if (mail !== null) {
        await mail.queue(tx)
        afterCommit(tx, () => deps.mails?.wake())
      }
      return (await selectUser(tx, id))!
    })
  } catch (error) {
    await mail?.giveBack()
    throw error
  }
}

/**
 * Inserts a user and gives them their name, within a transaction.
 * @throws ApiError taken (the name; a mail address that is inserted as confirmed)
 */
export async function insertMember(tx: Db, user: NewUser & { readonly email: string }): Promise<void> {
  try {
    await insertUser(tx, user)
  } catch (error) {
    // Of the unique columns, only a confirmed address is chosen by a user.
    throw isUniqueViolation(error) ? refuse('taken', 'email_taken') : error
  }
  if (!(await takeName(tx, user.id, foldName(user.name), user.at))) throw refuse('taken', 'username_taken')
}
