/**
 * Keys of threads: the second of their opening, or the next free one in their category. Browsers of
 * 2ch name a thread by its category and key.
 */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { idsOf } from '../../db/ids.ts'
import { timeOfUuid } from '../../lib/uuid.ts'

/** Seconds among which a free one is looked for at once. */
const SECONDS_AT_ONCE = 1_000

/**
 * Gives threads a key in a category; one that has been there before keeps its own.
 * @param tx the transaction that opens or moves them
 */
export async function giveThreadKeys(tx: Db, threadIds: readonly string[], categoryId: string): Promise<void> {
  const known = await selectThreadKeys(tx, threadIds, categoryId)
  for (const threadId of threadIds) {
    if (!known.has(threadId)) await giveThreadKey(tx, threadId, categoryId)
  }
}

async function giveThreadKey(tx: Db, threadId: string, categoryId: string): Promise<void> {
  const second = Math.floor(timeOfUuid(threadId) / 1_000)
  for (let from = second; ;) {
    // One that another transaction takes at the same time is no conflict before its commit; then
    // the next free one is found.
    const { rows } = await sql<{ isFree: boolean; isGiven: boolean }>`
      with free as (
        select second from generate_series(${from}::bigint, ${from + SECONDS_AT_ONCE - 1}::bigint) as second
        where not exists (select from "threadKeys" as k where k."categoryId" = ${categoryId}::uuid and k.key = second)
        order by second limit 1
      ), given as (
        insert into "threadKeys" ("categoryId", key, "threadId")
        select ${categoryId}::uuid, second, ${threadId}::uuid from free
        on conflict ("categoryId", key) do nothing returning key
      )
      select exists (select from free) as "isFree", exists (select from given) as "isGiven"`.execute(tx)
    const { isFree, isGiven } = rows[0]!
    if (isGiven) return
    if (!isFree) from += SECONDS_AT_ONCE
  }
}

/** The key of each thread that has one in the category. */
export async function selectThreadKeys(
  db: Db,
  threadIds: readonly string[],
  categoryId: string,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ threadId: string; key: string }>`
    select "threadId", key from "threadKeys"
    where "threadId" in ${idsOf(threadIds)} and "categoryId" = ${categoryId}::uuid`.execute(db)
  return new Map(rows.map(({ threadId, key }) => [threadId, Number(key)]))
}

/**
 * The thread of a key; undefined where none has it. It may be removed, or in another category by
 * now.
 */
export async function selectThreadOfKey(db: Db, categoryId: string, key: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('threadKeys')
    .select('threadId')
    .where('categoryId', '=', categoryId)
    .where('key', '=', String(key))
    .executeTakeFirst()
  return row?.threadId
}
