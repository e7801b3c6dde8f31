import { sql } from 'kysely'
import type { CallEnd, NewCall } from '@shinobi/newsroom/summaries/budget'
import type { Db } from '../../db/client.ts'

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

/** A span of time; its end excludes what a wrong clock dated into the future. */
export interface Span {
  readonly from: Date
  readonly to: Date
}

const callsWithin = (db: Db, { from, to }: Span) =>
  db.selectFrom('newsCalls').where('at', '>', from).where('at', '<=', to)

/** The cost of each call within a span, oldest first. */
export const selectCosts = (db: Db, span: Span): Promise<{ at: Date; tokens: number }[]> =>
  callsWithin(db, span)
    .select(['at', sql<number>`"inputTokens" + "outputTokens"`.as('tokens')])
    .orderBy('at')
    .execute()

/** The tokens of each model that was called within a span. */
export const selectTokens = (db: Db, span: Span) =>
  callsWithin(db, span)
    .select([
      'model',
      sql<number>`sum("inputTokens")::float8`.as('inputTokens'),
      sql<number>`sum("outputTokens")::float8`.as('outputTokens'),
    ])
    .groupBy('model')
    .orderBy('model')
    .execute()

/**
 * The last calls of a model, newest first; `at` is the start. One that is under way has no answer
 * yet, or its server was killed meanwhile.
 */
export const selectLastCalls = (db: Db, model: string, limit: number) =>
  db
    .selectFrom('newsCalls')
    .select(['id', 'storyId', 'at', 'milliseconds', 'outcome', 'detail'])
    .select(sql<boolean>`detail = ${UNDER_WAY}`.as('isUnderWay'))
    .where('model', '=', model)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

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
