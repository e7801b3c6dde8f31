/** Who runs the board, as the operator of the machine decides it: for the command line and the first start. */
import { inTransaction } from '../../db/transaction.ts'
import type { Db } from '../../db/client.ts'
import { ApiError } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword } from './passwords.ts'
import { replacePassword } from './passwords.service.ts'
import { insertMember } from './register.service.ts'
import { lockAdmins, selectAdmins, selectUserByName, updateUser, type UserRow } from './users.queries.ts'

/** Why something was not done, in English: operators read it, visitors never do. */
export class AdminRefusal extends Error {}

export interface NewAdmin {
  readonly username: string
  readonly email: string
  readonly password: string
}

/** Expects what the contract takes. Names of those who run the board are theirs to take, and their address counts as confirmed. */
export async function createAdmin(db: Db, { username, email, password }: NewAdmin, now: number): Promise<void> {
  if (isCommonPassword(password, { name: username, email })) throw new AdminRefusal('This password is guessed first.')
  const passwordHash = await hashPassword(password)
  const at = new Date(now)
  const user = { id: uuidv7(now), name: username, email, emailVerifiedAt: at, passwordHash, isAdmin: true, at }
  try {
    await inTransaction(db, (tx) => insertMember(tx, user))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'taken') {
      throw new AdminRefusal(`Another member has the name ${username} or the mail address ${email}.`)
    }
    throw error
  }
}

/** Creates the first administrator where there is none yet. @returns whether one was made */
export async function createFirstAdmin(db: Db, admin: NewAdmin, now: number): Promise<boolean> {
  if ((await selectAdmins(db)).length > 0) return false
  try {
    await createAdmin(db, admin, now)
    return true
  } catch (error) {
    // Of two servers that start together one is first.
    if (error instanceof AdminRefusal && (await selectAdmins(db)).length > 0) return false
    throw error
  }
}

/** @throws AdminRefusal for a name nobody bears, and for a member without a mail address */
export async function grantAdmin(db: Db, username: string): Promise<void> {
  const user = await findMember(db, username)
  if (user.email === null) throw new AdminRefusal(`${user.name} has no mail address, which administrators need.`)
  await updateUser(db, user.id, { isAdmin: true })
}

/** @throws AdminRefusal for a name nobody bears, for who is no administrator, and for the last one */
export async function revokeAdmin(db: Db, username: string): Promise<void> {
  await inTransaction(db, async (tx) => {
    // Locked, so that two who revoke each other at once do not leave the board to nobody.
    const admins = await lockAdmins(tx)
    const user = await findMember(tx, username)
    if (!user.isAdmin) throw new AdminRefusal(`${user.name} is no administrator.`)
    if (admins.length === 1 && admins[0]!.id === user.id)
      throw new AdminRefusal(`${user.name} is the last administrator. Make another one first.`)
    await updateUser(tx, user.id, { isAdmin: false })
  })
}

/** Sets a member's password and ends all their sessions. @throws AdminRefusal for a name nobody bears */
export async function setPassword(db: Db, username: string, password: string): Promise<void> {
  const user = await findMember(db, username)
  if (isCommonPassword(password, user)) throw new AdminRefusal('This password is guessed first.')
  const passwordHash = await hashPassword(password)
  await inTransaction(db, (tx) => replacePassword(tx, user.id, { passwordHash }))
}

/** @throws AdminRefusal for a name nobody bears */
export async function findMember(db: Db, username: string): Promise<UserRow> {
  const user = await selectUserByName(db, foldName(username))
  if (user === undefined) throw new AdminRefusal(`Nobody has the name ${username}.`)
  return user
}
