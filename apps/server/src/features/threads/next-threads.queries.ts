import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { idsOf } from '../../db/ids.ts'
import { isThreadVisible } from '../../db/visible.ts'
import type { ThreadRow } from './threads.queries.ts'
import type { RaisedState } from './threads-state.queries.ts'
import type { ThreadLinks } from './threads.view.ts'

/** The visible threads before and after a thread. */
export async function selectLinks(
  db: Db,
  { previousThreadId, nextThreadId }: Pick<ThreadRow, 'previousThreadId' | 'nextThreadId'>,
): Promise<ThreadLinks> {
  const ids = [previousThreadId, nextThreadId].filter((id) => id !== null)
  if (ids.length === 0) return { previous: null, next: null }
  const rows = await db
    .selectFrom('threads')
    .select(['id as _id', 'title'])
    .where('id', 'in', idsOf(ids))
    .where(isThreadVisible())
    .execute()
  const find = (id: string | null) => rows.find(({ _id }) => _id === id) ?? null
  return { previous: find(previousThreadId), next: find(nextThreadId) }
}

/** Makes a thread the next one of another, whose row is locked, and raises the other's revision. */
export async function linkThreads(tx: Db, previousThreadId: string, nextThreadId: string): Promise<RaisedState> {
  await tx.updateTable('threads').set({ previousThreadId }).where('id', '=', nextThreadId).execute()
  const { rows } = await sql<RaisedState>`
    update threads set "nextThreadId" = ${nextThreadId}::uuid, revision = revision + 1
    where id = ${previousThreadId}::uuid
    returning "postCount", revision`.execute(tx)
  return rows[0]!
}
