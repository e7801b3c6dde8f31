import { sql } from 'kysely'
import type { RuleKey } from '@shinobi/contract/rules'
import type { Db } from '../../db/client.ts'
import { isPostVisible } from '../../db/visible.ts'
import { placeTable, type PostPlace, type PostTarget } from '../posts/removals.queries.ts'

/** An entry of the log, with what it changed. */
export interface TouchingEntry {
  readonly id: string
  readonly at: Date
  readonly action: string
  readonly isPublic: boolean
  readonly categoryId: string | null
  readonly threadId: string | null
  readonly number: number | null
  readonly rule: RuleKey | null
  readonly actorName: string | null
  /** Post numbers by thread, for an entry about several posts (`details.posts`). */
  readonly posts: Readonly<Record<string, readonly number[]>> | null
  /** The old and the new category of a moved thread. */
  readonly movedFrom: string | null
  readonly movedTo: string | null
  /** When the action was that this entry undoes; null for other entries. */
  readonly undoneAt: Date | null
}

/** Entries after a given one, oldest first. An undo has the posts of the entry that it undoes. */
export async function selectTouchingEntries(db: Db, after: string, limit: number): Promise<TouchingEntry[]> {
  const { rows } = await sql<TouchingEntry>`
    select entry.id, entry.at, entry.action, entry."isPublic", entry."categoryId", entry."threadId", entry.number, entry.rule,
      entry."actorName", coalesce(entry.details->'posts', undone.details->'posts') as posts,
      entry.details->'before'->>'categoryId' as "movedFrom", entry.details->'after'->>'categoryId' as "movedTo",
      undone.at as "undoneAt"
    from "auditLog" as entry left join "auditLog" as undone on undone.id = entry.undoes
    where entry.id > ${after}::uuid order by entry.id limit ${limit}`.execute(db)
  return rows
}

/** A removed post whose text is in the index, or a visible one whose text is missing. */
export interface MisplacedPost extends PostPlace {
  /** Null for a removed post. */
  readonly text: string | null
}

export async function selectMisplacedPosts(db: Db, places: readonly PostPlace[]): Promise<MisplacedPost[]> {
  const { rows } = await sql<MisplacedPost>`
    select p."threadId", p.number, case when ${isPostVisible('p')} then p.content end as text
    from ${placeTable(places)} join posts as p on p."threadId" = place."threadId" and p.number = place.number
    left join "searchDocuments" as d on d."threadId" = p."threadId" and d.number = p.number
    where (${isPostVisible('p')}) = (d.number is null)`.execute(db)
  return rows
}

/** Of these posts, those that are visible. */
export async function selectStandingPosts(db: Db, places: readonly PostPlace[]): Promise<(PostPlace & PostTarget)[]> {
  const { rows } = await sql<PostPlace & PostTarget>`
    select p."threadId", p.number, p.id as "postId"
    from ${placeTable(places)} join posts as p on p."threadId" = place."threadId" and p.number = place.number
    where ${isPostVisible('p')}`.execute(db)
  return rows
}

/** Whether an entry of the log was undone. */
export async function isUndone(db: Db, id: string): Promise<boolean> {
  return (await db.selectFrom('auditLog').select('id').where('undoes', '=', id).executeTakeFirst()) !== undefined
}

/** Posts of these threads that somebody has restored since an entry of the log. */
export async function selectRestoredSince(db: Db, entryId: string, threadIds: readonly string[]): Promise<PostPlace[]> {
  const { rows } = await sql<PostPlace>`
    select "threadId", number from "auditLog"
    where id > ${entryId}::uuid and action = 'post_restore' and "threadId" = any(${threadIds}::uuid[])`.execute(db)
  return rows
}
