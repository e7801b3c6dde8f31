import { sql } from 'kysely'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'

/** Tables whose rows belong to threads, each with an index that begins with the thread. */
type TableOfThreads = { [Name in keyof Tables]: 'threadId' extends keyof Tables[Name] ? Name : never }[keyof Tables]

/** Deletes some of a thread's rows. @returns whether there may be more */
export async function deleteOfThread(db: Db, table: TableOfThreads, threadId: string, limit: number): Promise<boolean> {
  const name = sql.table(table)
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from ${name} where "threadId" = ${threadId}::uuid
        and ctid = any(array(select ctid from ${name} where "threadId" = ${threadId}::uuid limit ${limit}))
      returning 1
    )
    select count(*)::integer as deleted from gone`.execute(db)
  return rows[0]!.deleted >= limit
}
