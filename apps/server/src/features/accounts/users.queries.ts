import { sql, type Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { tally } from '../../db/tallies.ts'
import type { UsersTable, StoredImage } from '../../db/tables.ts'

/** A user as stored. Leaves the server only through users.view.ts. */
export type UserRow = Selectable<UsersTable>

/**
 * The form in which mail addresses are unique. The part before the @ may be case-sensitive in
 * theory; no provider treats it so.
 */
export const foldEmail = (email: string): string => email.normalize('NFKC').toLowerCase()

/**
 * The mailbox of an address, for limits alone: many providers deliver name+anything to name.
 * Elsewhere such addresses are people of their own, who share a limit then. Gmail, which has two
 * domains, also delivers n.a.m.e to name.
 */
export const mailboxOf = (email: string): string =>
  foldEmail(email)
    .replace(/(?<=.)\+[^@]*/, '')
    .replace(/^(.+)@(?:gmail|googlemail)\.com$/, (_, name: string) => `${name.replaceAll('.', '')}@gmail.com`)

export interface NewUser {
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly emailVerifiedAt?: Date | null
  readonly passwordHash: string | null
  readonly googleSubject?: string | null
  readonly isAdmin?: boolean
  readonly at: Date
}

/**
 * Inserts a user, in a transaction; the name is taken separately (`takeName`), in the same
 * transaction.
 * @throws a unique violation for a confirmed mail address that another member has confirmed
 */
export async function insertUser(db: Db, { at, ...user }: NewUser): Promise<void> {
  const emailKey = user.email === null ? null : foldEmail(user.email)
  await db
    .insertInto('users')
    .values({ ...user, emailKey, createdAt: at })
    .execute()
  await tally(db, 'users', [user.id], 1)
}

export const selectUser = (db: Db, id: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst()

/** The user with this name now. @param name folded by `foldName` */
export const selectUserByName = (db: Db, name: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('userNames')
    .innerJoin('users', 'users.id', 'userNames.userId')
    .selectAll('users')
    .where('userNames.name', '=', name)
    .where('userNames.releasedAt', 'is', null)
    .executeTakeFirst()

/**
 * The member who has confirmed a mail address. An unconfirmed address identifies no member: not for
 * a log-in, a link with Google, or a mail with a new password.
 * @param email as typed
 */
export const selectUserByEmail = (db: Db, email: string): Promise<UserRow | undefined> =>
  db
    .selectFrom('users')
    .selectAll()
    .where('emailKey', '=', foldEmail(email))
    .where('emailVerifiedAt', 'is not', null)
    .executeTakeFirst()

export const selectUserByGoogle = (db: Db, subject: string): Promise<UserRow | undefined> =>
  db.selectFrom('users').selectAll().where('googleSubject', '=', subject).executeTakeFirst()

/**
 * Reads the password's hash and locks the row until the transaction ends; null without a password,
 * undefined without a user.
 */
export async function lockPassword(tx: Db, id: string): Promise<string | null | undefined> {
  const row = await tx.selectFrom('users').select('passwordHash').where('id', '=', id).forUpdate().executeTakeFirst()
  return row?.passwordHash
}

/** Reads and locks a user until the transaction ends. */
export const lockUser = (tx: Db, id: string): Promise<UserRow | undefined> =>
  tx.selectFrom('users').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The columns of a user that may change. */
export type UserChange = Partial<
  Pick<UserRow, 'name' | 'email' | 'emailKey' | 'emailVerifiedAt' | 'passwordHash' | 'googleSubject' | 'isAdmin'>
>

export async function updateUser(db: Db, id: string, change: UserChange): Promise<void> {
  await db.updateTable('users').set(change).where('id', '=', id).execute()
}

export interface AdminRow {
  readonly id: string
  readonly name: string
  readonly email: string | null
}

/**
 * Users who may be administrators: only those with a mail address (docs/product.md#people). The
 * oldest account first.
 */
export const selectAdmins = (db: Db): Promise<AdminRow[]> => admins(db).execute()

/** The same, locked until the transaction ends. */
export const lockAdmins = (tx: Db): Promise<AdminRow[]> => admins(tx).forUpdate().execute()

const admins = (db: Db) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email'])
    .where('isAdmin', '=', true)
    .where('email', 'is not', null)
    .orderBy('id')

/** Deletes a user; names, sessions and mailed links are deleted with the row. */
export async function deleteUser(tx: Db, userId: string): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', userId).execute()
  await tally(tx, 'users', [userId], -1)
}

/** Locks a member's row for a change of the account; false when the account is gone. */
export async function lockMember(tx: Db, userId: string): Promise<boolean> {
  const { rows } = await sql`select from users where id = ${userId}::uuid for update`.execute(tx)
  return rows.length > 0
}

/**
 * Replaces a member's picture. @returns the former one (null without one); undefined when the
 * account is gone
 */
export async function replacePicture(
  db: Db,
  userId: string,
  picture: StoredImage,
): Promise<StoredImage | null | undefined> {
  const { rows } = await sql<{ before: StoredImage | null }>`
    with old as (select id, picture from users where id = ${userId}::uuid for update)
    update users set picture = ${JSON.stringify(picture)}::text::jsonb from old where users.id = old.id
    returning old.picture as before`.execute(db)
  return rows[0]?.before
}
