/** Roles that the operator of the machine assigns: for the command line and the first start. */
import type { RoleInput } from '@shinobi/contract/admin'
import { inTransaction } from '../../db/transaction.ts'
import type { Db } from '../../db/client.ts'
import { ApiError } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { selectCategory } from '../categories/categories.queries.ts'
import { isCommonPassword } from './common-passwords.ts'
import { hashPassword, OPERATOR } from './passwords.ts'
import { replacePassword } from './passwords.service.ts'
import { insertMember } from './register.service.ts'
import { changeRole } from './roles.service.ts'
import { deleteSecondFactor } from './second-factor.queries.ts'
import { selectAdmins, selectUserByName, type UserRow } from './users.queries.ts'

/** The reason of a refusal, in English: operators read it, visitors never do. */
export class AdminRefusal extends Error {}

export interface NewAdmin {
  readonly username: string
  readonly email: string
  readonly password: string
}

/**
 * Expects validated input. Reserved names are allowed here, and the address counts as confirmed.
 */
export async function createAdmin(db: Db, { username, email, password }: NewAdmin, now: number): Promise<void> {
  if (isCommonPassword(password, { name: username, email })) throw new AdminRefusal('This password is guessed first.')
  const passwordHash = await hashPassword(password, OPERATOR)
  const at = new Date(now)
  const user = { id: uuidv7(now), name: username, email, emailVerifiedAt: at, passwordHash, isAdmin: true, at }
  try {
    await inTransaction(db, async (tx) => {
      await insertMember(tx, user)
      const details = { userId: user.id, before: null, after: { role: 'admin', categoryIds: null } }
      await insertAudit(tx, { actor: null, at, action: 'role_change', subject: username, details })
    })
  } catch (error) {
    if (error instanceof ApiError && error.code === 'taken') {
      throw new AdminRefusal(`Another member has the name ${username} or the mail address ${email}.`)
    }
    throw error
  }
}

/** Creates the first administrator where there is none yet. @returns whether one was created */
export async function createFirstAdmin(db: Db, admin: NewAdmin, now: number): Promise<boolean> {
  if ((await selectAdmins(db)).length > 0) return false
  try {
    await createAdmin(db, admin, now)
    return true
  } catch (error) {
    // Of two servers that start together, one inserts first.
    if (error instanceof AdminRefusal && (await selectAdmins(db)).length > 0) return false
    throw error
  }
}

/** A role as the command line names it. */
export type Grant = 'admin' | { readonly moderates: readonly string[] | 'all' }

/**
 * Makes a member an administrator, or a moderator of the board or of some categories (by name).
 * @throws AdminRefusal for an unknown name, an unknown category, a member without a mail address,
 * and the last administrator
 */
export async function grantRole(db: Db, username: string, grant: Grant, now: number): Promise<void> {
  const user = await findMember(db, username)
  if (user.email === null)
    throw new AdminRefusal(`${user.name} has no mail address, which administrators and moderators need.`)
  const role = grant === 'admin' ? 'admin' : 'moderator'
  const categoryIds = grant === 'admin' || grant.moderates === 'all' ? null : await findCategories(db, grant.moderates)
  await setRole(db, user, { role, categoryIds }, now)
}

/**
 * @throws AdminRefusal for an unknown name, for a member who is neither administrator nor
 * moderator, and for the last administrator
 */
export async function revokeRole(db: Db, username: string, now: number): Promise<void> {
  const user = await findMember(db, username)
  const isChanged = await setRole(db, user, { role: 'member', categoryIds: null }, now)
  if (!isChanged) throw new AdminRefusal(`${user.name} neither runs nor moderates the board.`)
}

async function setRole(db: Db, user: UserRow, role: RoleInput, now: number): Promise<boolean> {
  try {
    const change = { ...role, userId: user.id, actor: null, at: new Date(now) }
    return await inTransaction(db, (tx) => changeRole(tx, change))
  } catch (error) {
    if (error instanceof ApiError && error.code === 'last_admin')
      throw new AdminRefusal(`${user.name} is the last administrator. Make another one first.`)
    throw error
  }
}

async function findCategories(db: Db, names: readonly string[]): Promise<string[]> {
  const ids = []
  for (const name of names) {
    const category = await selectCategory(db, name)
    if (category === undefined) throw new AdminRefusal(`There is no category "${name}".`)
    ids.push(category.id)
  }
  return ids
}

/**
 * Removes a member's second factor, when the authenticator and the recovery codes are lost.
 * @throws AdminRefusal for an unknown name, and for a member without a second factor
 */
export async function resetSecondFactor(db: Db, username: string, now: number): Promise<void> {
  const user = await findMember(db, username)
  await inTransaction(db, async (tx) => {
    if (!(await deleteSecondFactor(tx, user.id))) throw new AdminRefusal(`${user.name} has no second factor.`)
    const at = new Date(now)
    await insertAudit(tx, { actor: null, at, action: 'second_factor_reset', subject: user.name })
  })
}

/**
 * Sets a member's password and ends all their sessions. @throws AdminRefusal for an unknown name
 */
export async function setPassword(db: Db, username: string, password: string): Promise<void> {
  const user = await findMember(db, username)
  if (isCommonPassword(password, user)) throw new AdminRefusal('This password is guessed first.')
  const passwordHash = await hashPassword(password, OPERATOR)
  await inTransaction(db, (tx) => replacePassword(tx, user.id, { passwordHash }))
}

/** @throws AdminRefusal for an unknown name */
export async function findMember(db: Db, username: string): Promise<UserRow> {
  const user = await selectUserByName(db, foldName(username))
  if (user === undefined) throw new AdminRefusal(`Nobody has the name ${username}.`)
  return user
}
