import { sql } from 'kysely'
import type { CallEnd, NewCall } from '@shinobi/newsroom/summaries/budget'
import type { Db } from '../../db/client.ts'

/** Stands in `detail` until the answer is there, and for ever when the server was killed meanwhile. */
const UNDER_WAY = 'under way'
/** Findings of a whole summary fit; more is a model gone mad. */
const DETAIL_CHARACTERS = 2_000

/** One call at a time asks for its share of the budget, over all processes, until the transaction ends. */
export async function lockCalls(tx: Db): Promise<void> {
  await sql`lock table "newsCalls" in share row exclusive mode`.execute(tx)
}

/** A call that is about to be made. Should nobody come back to tell its end, it has cost what was expected. */
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

/** What each call between two times has cost, the oldest first. What a clock that ran ahead has written later counts as none of them. */
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

/** The last calls of a model that came to an end, the newest first. `at` is when they began. */
export const selectEnds = (
  db: Db,
  model: string,
  limit: number,
): Promise<{ at: Date; milliseconds: number; outcome: CallEnd['outcome']; detail: string }[]> =>
  db
    .selectFrom('newsCalls')
    .select(['at', 'milliseconds', 'outcome', 'detail'])
    .where('model', '=', model)
    .where('detail', '<>', UNDER_WAY)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

/** The newest call of a model since then whose answer is awaited. */
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

/** A story's calls since then that were answered, usefully or not, the newest first. */
export const selectTries = (db: Db, storyId: string, since: Date): Promise<CallEnd[]> =>
  db
    .selectFrom('newsCalls')
    .select(['outcome', 'detail', 'inputTokens', 'outputTokens', 'milliseconds'])
    .where('storyId', '=', storyId)
    .where('at', '>', since)
    .where('outcome', 'in', ['ok', 'ungrounded', 'malformed'])
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .execute()
