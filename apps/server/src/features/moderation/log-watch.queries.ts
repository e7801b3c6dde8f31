import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isPostVisible } from '../../db/visible.ts'
import { placeTable, type PostPlace } from '../posts/removals.queries.ts'

/** An entry of the log, by what it touched. */
export interface TouchingEntry {
  readonly id: string
  readonly at: Date
  readonly action: string
  readonly isPublic: boolean
  readonly categoryId: string | null
  readonly threadId: string | null
  readonly number: number | null
  /** Where many posts were touched (`details.posts`): their numbers by thread. */
  readonly posts: Readonly<Record<string, readonly number[]>> | null
  /** Where a thread was moved: the categories it left and came to. */
  readonly movedFrom: string | null
  readonly movedTo: string | null
}

/** Entries after one, oldest first. What takes something back touches what that had touched. */
export async function selectTouchingEntries(db: Db, after: string, limit: number): Promise<TouchingEntry[]> {
  const { rows } = await sql<TouchingEntry>`
    select entry.id, entry.at, entry.action, entry."isPublic", entry."categoryId", entry."threadId", entry.number,
      coalesce(entry.details->'posts', undone.details->'posts') as posts,
      entry.details->'before'->>'categoryId' as "movedFrom", entry.details->'after'->>'categoryId' as "movedTo"
    from "auditLog" as entry left join "auditLog" as undone on undone.id = entry.undoes
    where entry.id > ${after}::uuid order by entry.id limit ${limit}`.execute(db)
  return rows
}

/** A post whose text the index holds though it is removed, or does not hold though it stands. */
export interface MisplacedPost extends PostPlace {
  /** Null for a removed one. */
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
