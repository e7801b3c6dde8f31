import { sql, type Selectable } from 'kysely'
import type { CallEnd, NewCall } from '@shinobi/newsroom/summaries/budget'
import type { Db } from '../../db/client.ts'
import type { NewsCallsTable } from '../../db/tables.ts'

/** The `detail` of a call without an answer yet; it stays when the server is killed meanwhile. */
const UNDER_WAY = 'under way'
/** Enough for the findings of a whole summary; longer ones come from a broken model. */
const DETAIL_CHARACTERS = 2_000

/**
 * Locks the budget until the transaction ends, so that over all processes one call at a time takes
 * its share.
 */
export async function lockCalls(tx: Db): Promise<void> {
  await sql`lock table "newsCalls" in share row exclusive mode`.execute(tx)
}

/** Stores a call before it is made. If its end is never stored, it counts at its maximum cost. */
export async function insertCall(tx: Db, call: NewCall): Promise<void> {
  await tx
    .insertInto('newsCalls')
    .values({ ...call, milliseconds: 0, outcome: 'failed', detail: UNDER_WAY })
    .execute()
}

export async function endCall(db: Db, id: string, end: CallEnd): Promise<void> {
  await db
    .updateTable('newsCalls')
    .set({ ...end, detail: end.detail.slice(0, DETAIL_CHARACTERS) })
    .where('id', '=', id)
    .execute()
}

/**
 * The cost of each call between two times, oldest first. The upper bound excludes calls that a
 * wrong clock dated into the future.
 */
export const selectCosts = (
  db: Db,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ at: Date; tokens: number }[]> =>
  db
    .selectFrom('newsCalls')
    .select(['at', sql<number>`"inputTokens" + "outputTokens"`.as('tokens')])
    .where('at', '>', from)
    .where('at', '<=', to)
    .orderBy('at')
    .execute()

/** The tokens of each model that was called between two times. */
export const selectTokens = (
  db: Db,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<{ model: string; inputTokens: number; outputTokens: number }[]> =>
  db
    .selectFrom('newsCalls')
    .select([
      'model',
      sql<number>`sum("inputTokens")::float8`.as('inputTokens'),
      sql<number>`sum("outputTokens")::float8`.as('outputTokens'),
    ])
    .where('at', '>', from)
    .where('at', '<=', to)
    .groupBy('model')
    .orderBy('model')
    .execute()

/** The last completed calls of a model, newest first. `at` is the start of a call. */
export const selectEnds = (
  db: Db,
  model: string,
  limit: number,
): Promise<Pick<Selectable<NewsCallsTable>, 'id' | 'storyId' | 'at' | 'milliseconds' | 'outcome' | 'detail'>[]> =>
  db
    .selectFrom('newsCalls')
    .select(['id', 'storyId', 'at', 'milliseconds', 'outcome', 'detail'])
    .where('model', '=', model)
    .where('detail', '<>', UNDER_WAY)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** The newest call of a model since a time that has no answer yet. */
export const selectUnderWay = (db: Db, model: string, since: Date): Promise<{ at: Date } | undefined> =>
  db
    .selectFrom('newsCalls')
    .select('at')
    .where('model', '=', model)
    .where('detail', '=', UNDER_WAY)
    .where('at', '>', since)
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()

/** How many calls of a story have failed since a time. */
export async function countFailures(db: Db, storyId: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('newsCalls')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('storyId', '=', storyId)
    .where('at', '>=', since)
    .where('outcome', 'in', ['limited', 'failed'])
    .where('detail', '<>', UNDER_WAY)
    .executeTakeFirstOrThrow()
  return count
}

/**
 * The calls of a story since a time, with prompts of this version, that were answered, usefully or
 * not, newest first.
 */
export const selectTries = (db: Db, storyId: string, promptVersion: string, since: Date): Promise<CallEnd[]> =>
  db
    .selectFrom('newsCalls')
    .select(['outcome', 'detail', 'inputTokens', 'outputTokens', 'milliseconds'])
    .where('storyId', '=', storyId)
    .where('promptVersion', '=', promptVersion)
    .where('at', '>', since)
    .where('outcome', 'in', ['ok', 'ungrounded', 'malformed'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
