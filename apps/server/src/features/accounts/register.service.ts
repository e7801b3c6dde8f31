/** Opening an account. */
import type { Deps } from '../../deps.ts'
import type { Db } from '../../db/client.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { refuseName, refusePassword } from './account-rules.ts'
import { takeAddressMail } from './email.service.ts'
import { hashPassword } from './passwords.ts'
import { takeName } from './user-names.queries.ts'
import { insertUser, selectUser, type NewUser, type UserRow } from './users.queries.ts'

export interface Registration {
  readonly username: string
  readonly email: string
  readonly password: string
}

/**
 * Opens an account; with a mail server, a mail to confirm the address follows. Whether another member has the mail address is
 * told to nobody but whoever reads its mails.
 * @param address prefix of the address that asks, see addressPrefix()
 * @throws ApiError taken (the name), banned_word, bad_password, too_many_requests, unavailable in a storm
 */
export async function registerMember(
  deps: Deps,
  { username, email, password }: Registration,
  address: string,
): Promise<UserRow> {
  const { db, now, words, accountLimits } = deps
  refuseName(words, username)
  refusePassword(password, { name: username, email })
  await accountLimits.registrations.take(address)
  // Before the transaction: nothing waits for a hash with a connection in its hands.
  const passwordHash = await hashPassword(password, address)
  const id = uuidv7(now())
  const mail = await takeAddressMail(deps, { userId: id, email })
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
    // Of what is unique here only a confirmed address was chosen by somebody.
    throw isUniqueViolation(error) ? refuse('taken', 'email_taken') : error
  }
  if (!(await takeName(tx, user.id, foldName(user.name), user.at))) throw refuse('taken', 'username_taken')
}
