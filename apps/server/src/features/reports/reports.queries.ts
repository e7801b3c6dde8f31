import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import { isDistributed } from '../../db/distribution.ts'
import { isPostVisible, isThreadVisible } from '../../db/visible.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'

export interface NewReport {
  readonly id: string
  readonly threadId: string
  readonly postId: string
  /** The member, or else the visitor, who reports: each is counted once per post. */
  readonly reporter: string
  readonly userId: string | null
  /** The voice that the report counts for, see ReportsTable. */
  readonly voice: string
  /** Those of the same source on earlier days: the voice becomes the one that is in the case. */
  readonly earlierVoices: readonly string[]
  readonly reason: string
  /** The text that the reporter saw, according to the client. */
  readonly seen: string
  readonly at: Date
}

/**
 * The result of a report: stored, repeated by the same reporter, or refused because there is no
 * such post.
 */
export type ReportOutcome =
  | { readonly kind: 'stored'; readonly number: number; readonly muted: boolean }
  | { readonly kind: 'repeated' | 'no_post' }

/**
 * Stores a report with the current content of the post, in one statement, so that the evidence is
 * what was reported. The first report of a reporter, with its evidence, cannot be changed
 * afterwards.
 */
export async function insertReport(tx: Db, report: NewReport): Promise<ReportOutcome> {
  if (await isDistributed(tx)) return insertReportOverCluster(tx, report)
  const { id, threadId, postId, reporter, userId, voice, earlierVoices, reason, seen, at } = report
  const { rows } = await sql<{ number: number; muted: boolean | null }>`
    with post as (
      select number, name, content, image from posts
      where "threadId" = ${threadId}::uuid and id = ${postId}::uuid and ${isPostVisible()}
        and exists (select from threads where id = ${threadId}::uuid and ${isThreadVisible()})
    ), stored as (
      insert into reports ("threadId", id, "postId", reporter, "userId", voice, reason, evidence, "createdAt", muted)
      select ${threadId}::uuid, ${id}::uuid, ${postId}::uuid, ${reporter}::uuid, ${userId}::uuid, ${voice}::text, ${reason}::text,
        jsonb_build_object('number', number, 'name', name, 'content', content, 'imageKey', image->>'key', 'seen', ${seen}::text),
        ${at}::timestamptz, ${isMuted(sql`${reporter}::uuid`, at)} or ${isVoiceMuted([voice, ...earlierVoices], at)}
      from post
      on conflict ("threadId", "postId", reporter) do nothing
      returning muted
    )
    select number, (select muted from stored) as muted from post`.execute(tx)
  const [row] = rows
  if (row === undefined) return { kind: 'no_post' }
  return row.muted === null ? { kind: 'repeated' } : { kind: 'stored', number: row.number, muted: row.muted }
}

/** The same in steps: mutes are looked up on all nodes, the post on one. */
async function insertReportOverCluster(tx: Db, report: NewReport): Promise<ReportOutcome> {
  const { threadId, postId, reporter, voice, earlierVoices, at, seen, ...given } = report
  const post = await tx
    .selectFrom('posts as p')
    .innerJoin('threads as t', 't.id', 'p.threadId')
    .select(['p.number', 'p.name', 'p.content', 'p.image'])
    .where('p.threadId', '=', threadId)
    .where('p.id', '=', postId)
    .where(isPostVisible('p'))
    .where(isThreadVisible('t'))
    .executeTakeFirst()
  if (post === undefined) return { kind: 'no_post' }
  const { rows } = await sql<{ muted: boolean }>`
    select ${isMuted(sql`${reporter}::uuid`, at)} or ${isVoiceMuted([voice, ...earlierVoices], at)} as muted`.execute(
    tx,
  )
  const { muted } = rows[0]!
  const { number, name, content, image } = post
  const evidence = JSON.stringify({ number, name, content, imageKey: image?.key ?? null, seen })
  const stored = await tx
    .insertInto('reports')
    .values({ ...given, threadId, postId, reporter, voice, evidence, muted, createdAt: at })
    .onConflict((conflict) => conflict.columns(['threadId', 'postId', 'reporter']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return stored === undefined ? { kind: 'repeated' } : { kind: 'stored', number, muted }
}

/** Voices as one parameter: hashes and ids, which need no quotes. */
export const textsOf = (voices: readonly string[]): RawBuilder<string[]> => sql`${`{${voices.join(',')}}`}::text[]`

/** Whether a reporter is muted at a time. */
export const isMuted = (reporter: RawBuilder<unknown>, at: Date): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from "mutedReporters" as m where m.reporter = ${reporter} and (m.until is null or m.until > ${at}::timestamptz)
)`

/** For so long after a report, the source of a muted reporter is muted. */
const VOICE_MS = 86_400_000

/**
 * Whether a reporter with one of these voices is muted: a visitor who discards the cookie stays
 * muted for a day.
 */
const isVoiceMuted = (voices: readonly string[], at: Date): RawBuilder<boolean> => sql<boolean>`exists (
  select 1 from "mutedReporters" as m
  join reports as r on r.reporter = m.reporter and r.id >= ${uuidv7Floor(at.getTime() - VOICE_MS)}::uuid
  where r.voice = any(${textsOf(voices)}) and (m.until is null or m.until > ${at}::timestamptz)
)`

/** Removes a deleted member from their reports. The remaining id refers to no account. */
export async function forgetReporter(db: Db, userId: string): Promise<void> {
  await db
    .updateTable('reports')
    .set({ userId: null })
    .where('reporter', '=', userId)
    .where('userId', 'is not', null)
    .execute()
  await db.deleteFrom('mutedReporters').where('reporter', '=', userId).execute()
}

/** Removes a deleted member's name from the evidence of reports about their posts. */
export async function forgetReportedName(tx: Db, threadId: string, postIds: readonly string[]): Promise<void> {
  if (postIds.length === 0) return
  await sql`
    update reports set evidence = evidence || '{"name": null}'::jsonb
    where "threadId" = ${threadId}::uuid and "postId" in (
      select value::uuid from json_array_elements_text(${JSON.stringify(postIds)}::text::json)
    )`.execute(tx)
}

/**
 * Clears the evidence of reported posts, when the text of the posts is deleted. The reports with
 * their reasons stay.
 */
export async function clearEvidence(
  tx: Db,
  posts: readonly { readonly threadId: string; readonly number: number }[],
): Promise<void> {
  const places = JSON.stringify(posts.map(({ threadId, number }) => ({ threadId, number })))
  const nothing = JSON.stringify({ name: null, content: '', imageKey: null, seen: '' })
  await sql`
    update reports as r set evidence = r.evidence || ${nothing}::text::jsonb
    from json_to_recordset(${places}::text::json) as place("threadId" uuid, number integer)
    join posts as p on p."threadId" = place."threadId" and p.number = place.number
    where r."threadId" = p."threadId" and r."postId" = p.id`.execute(tx)
}

/** Deletes expired mutes. */
export async function deleteEndedMutes(db: Db, at: Date): Promise<void> {
  await db.deleteFrom('mutedReporters').where('until', '<=', at).execute()
}

/** Deletes some of a thread's reports and cases. @returns whether there may be more */
export const deleteReportsOfThread = async (db: Db, threadId: string, limit: number): Promise<boolean> =>
  (await deleteOfThread(db, 'reports', threadId, limit)) || deleteOfThread(db, 'cases', threadId, limit)
