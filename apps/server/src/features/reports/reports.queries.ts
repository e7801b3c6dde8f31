import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'

export interface NewReport {
  readonly id: string
  readonly threadId: string
  readonly postId: string
  /** The member, or else the visitor, who reports: each counts once for a post. */
  readonly reporter: string
  readonly userId: string | null
  readonly reason: string
  /** What the reporter says to have seen. */
  readonly seen: string
  readonly at: Date
}

/** What became of a report: stored, there before by the same reporter, or about nothing. */
export type ReportOutcome = 'stored' | 'repeated' | 'no_post'

/**
 * Stores a report with what the post says at this moment, in one statement, so that the evidence is what was reported.
 * The first report of a reporter stays as it is: what it says, and shows, cannot be changed afterwards.
 */
export async function insertReport(db: Db, report: NewReport): Promise<ReportOutcome> {
  const { id, threadId, postId, reporter, userId, reason, seen, at } = report
  const { rows } = await sql<{ stored: boolean }>`
    with post as (
      select number, name, content, image from posts
      where "threadId" = ${threadId}::uuid and id = ${postId}::uuid and "deletedAt" is null
    ), stored as (
      insert into reports ("threadId", id, "postId", reporter, "userId", reason, evidence, "createdAt")
      select ${threadId}::uuid, ${id}::uuid, ${postId}::uuid, ${reporter}::uuid, ${userId}::uuid, ${reason}::text,
        jsonb_build_object('number', number, 'name', name, 'content', content, 'imageKey', image->>'key', 'seen', ${seen}::text),
        ${at}::timestamptz
      from post
      on conflict ("threadId", "postId", reporter) do nothing
      returning id
    )
    select exists (select from stored) as stored from post`.execute(db)
  const [row] = rows
  if (row === undefined) return 'no_post'
  return row.stored ? 'stored' : 'repeated'
}
