/** Creates and logs in a member and staff, for the calls that only they may make. */
import { hash } from '@node-rs/argon2'
import { sql } from 'kysely'
import { openDatabase } from '../../apps/server/src/db/client.ts'
import { takeName } from '../../apps/server/src/features/accounts/user-names.queries.ts'
import { insertUser } from '../../apps/server/src/features/accounts/users.queries.ts'
import { foldName } from '../../apps/server/src/lib/fold.ts'
import { uuidv7 } from '../../apps/server/src/lib/uuid.ts'
import type { Board } from './server.ts'

/** Threads in which each of them has posted. */
const ROOMS = 1_000
const PASSWORD = 'a password of the bench'

export interface Staff {
  /**
   * Cookies of an administrator, of a moderator of two categories, of one whose category is empty,
   * and of a member.
   */
  readonly admin: string
  readonly moderator: string
  /** A moderator with nothing to do must not make the server look through the cases of others. */
  readonly idle: string
  /** A member without any office. */
  readonly member: string
}

export async function openStaff(board: Board, databaseUrl: string): Promise<Staff> {
  const database = openDatabase({ url: databaseUrl, pool: 1 })
  const { db } = database
  const at = new Date()
  const mark = at.getTime().toString(36)
  try {
    const categories = await db.selectFrom('categories').select('id').orderBy('position').execute()
    const empty = uuidv7(at.getTime())
    await db
      .insertInto('categories')
      .values({ id: empty, name: `empty-${mark}`, description: '', position: 100, createdAt: at })
      .execute()
    const enter = async (name: string, office: 'admin' | 'none' | readonly string[]): Promise<string> => {
      const id = uuidv7(at.getTime())
      const passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
      const email = `${name}@bench.example.jp`
      await insertUser(db, { id, name, email, passwordHash, at, isAdmin: office === 'admin' })
      if (!(await takeName(db, id, foldName(name), at))) throw new Error(`the name ${name} is taken`)
      if (typeof office !== 'string')
        await db
          .insertInto('moderators')
          .values({ userId: id, categoryIds: JSON.stringify(office), createdAt: at })
          .execute()
      await sql`
        insert into rooms ("userId", "threadId", "lastPostAt")
        select ${id}::uuid, id, "lastPostAt" from (select * from threads order by id desc limit ${ROOMS}) as newest`.execute(
        db,
      )
      return logIn(board, name)
    }
    return {
      admin: await enter(`hanzo${mark}`, 'admin'),
      moderator: await enter(`kaede${mark}`, [categories[2]!.id, categories[4]!.id]),
      idle: await enter(`tsubaki${mark}`, [empty]),
      member: await enter(`fuma${mark}`, 'none'),
    }
  } finally {
    await database.close()
  }
}

async function logIn({ url }: Board, username: string): Promise<string> {
  const answer = await fetch(`${url}/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: url },
    body: JSON.stringify({ username, password: PASSWORD }),
  })
  if (!answer.ok) throw new Error(`the log-in was refused: ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}
