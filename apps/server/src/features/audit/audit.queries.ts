import { sql, type RawBuilder } from 'kysely'
import type { AuditAction } from '@shinobi/contract/audit-labels'
import type { RuleKey } from '@shinobi/contract/rules'
import type { Db } from '../../db/client.ts'
import { idsOf } from '../../db/ids.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { uuidv7, uuidv7Floor } from '../../lib/uuid.ts'

/** A new entry of the log. Inserted in the transaction of its action. */
export interface NewAuditEntry {
  /** The member who acts; null for the board itself. */
  readonly actor: { readonly id: string; readonly name: string } | null
  readonly at: Date
  readonly action: AuditAction
  readonly categoryId?: string | null
  readonly threadId?: string | null
  readonly postId?: string | null
  readonly number?: number | null
  /** The target in words: a title, a name, a word. Not shown in public. */
  readonly subject?: string | null
  readonly rule?: RuleKey | null
  /** As typed by the actor. Shown in public only where news were taken down. */
  readonly reason?: string | null
  /**
   * `before` and `after`, and the data for an undo. Not shown in public; no address, no visitor
   * token.
   */
  readonly details?: Readonly<Record<string, unknown>>
  /** Also shown in the public log. */
  readonly isPublic?: boolean
  /** The entry that this one undoes. */
  readonly undoes?: string | null
}

/** @returns the entry's id. @throws a unique violation when `undoes` has been undone already */
export async function insertAudit(tx: Db, { actor, at, details = {}, ...entry }: NewAuditEntry): Promise<string> {
  const id = uuidv7(at.getTime())
  await tx
    .insertInto('auditLog')
    .values({
      id,
      at,
      actorId: actor?.id ?? null,
      actorName: actor?.name ?? null,
      action: entry.action,
      categoryId: entry.categoryId ?? null,
      threadId: entry.threadId ?? null,
      postId: entry.postId ?? null,
      number: entry.number ?? null,
      subject: entry.subject ?? null,
      rule: entry.rule ?? null,
      reason: entry.reason ?? null,
      details: JSON.stringify(details),
      isPublic: entry.isPublic ?? false,
      undoes: entry.undoes ?? null,
    })
    .execute()
  return id
}

const isUndone = sql<boolean>`exists (select from "auditLog" as later where later.undoes = entry.id)`

/** The last public entry of an action on a thread that stands, that is, was not undone. */
export async function selectStandingPublicAction(
  db: Db,
  threadId: string,
  action: AuditAction,
): Promise<{ id: string; at: Date; reason: string | null } | undefined> {
  const { rows } = await sql<{ id: string; at: Date; reason: string | null }>`
    select entry.id, entry.at, entry.reason from "auditLog" as entry
    where entry."threadId" = ${threadId}::uuid and entry.action = ${sql.lit(action)} and entry."isPublic" and not ${isUndone}
    order by entry.id desc limit 1`.execute(db)
  return rows[0]
}

/** An entry as administrators see it. */
export interface AuditRow {
  readonly id: string
  readonly at: Date
  readonly actorName: string | null
  readonly action: AuditAction
  readonly category: string | null
  readonly threadId: string | null
  readonly number: number | null
  readonly subject: string | null
  readonly rule: RuleKey | null
  readonly reason: string | null
  readonly details: Record<string, unknown>
  /** The entry that this one undoes. */
  readonly undoes: string | null
  /** Whether another entry undoes this one. */
  readonly undone: boolean
}

/**
 * A page as a subquery, so that `undone` is computed for the shown entries, not for the whole log.
 */
const pageOf = (which: RawBuilder<unknown>, before: string | null, limit: number): RawBuilder<unknown> => sql`(
  select * from "auditLog" where ${which} and ${before === null ? sql`true` : sql`id < ${before}::uuid`} order by id desc limit ${limit})`

/** Entries before one, newest first. */
export async function selectAudit(db: Db, before: string | null, limit: number): Promise<AuditRow[]> {
  const { rows } = await sql<AuditRow>`
    select entry.id, entry.at, entry."actorName", entry.action, c.name as category, entry."threadId", entry.number, entry.subject,
      entry.rule, entry.reason, entry.details, entry.undoes, ${isUndone} as undone
    from ${pageOf(sql`true`, before, limit)} as entry left join categories as c on c.id = entry."categoryId"
    order by entry.id desc`.execute(db)
  return rows
}

/** An entry as everybody sees it: without actor, target and any typed text. */
export interface PublicAuditRow {
  readonly id: string
  readonly at: Date
  readonly action: AuditAction
  readonly category: string | null
  /** Null when the thread is not visible. */
  readonly threadId: string | null
  readonly title: string | null
  readonly number: number | null
  readonly rule: RuleKey | null
  readonly undone: boolean
}

/** Public entries before one, newest first. */
export async function selectPublicAudit(db: Db, before: string | null, limit: number): Promise<PublicAuditRow[]> {
  const { rows } = await sql<Omit<PublicAuditRow, 'title'>>`
    select entry.id, entry.at, entry.action, c.name as category, entry."threadId", entry.number, entry.rule, ${isUndone} as undone
    from ${pageOf(sql`"isPublic"`, before, limit)} as entry left join categories as c on c.id = entry."categoryId"
    order by entry.id desc`.execute(db)
  // A second query by id, because a join would make a cluster read all its threads.
  const threadIds = rows.flatMap(({ threadId }) => threadId ?? [])
  const { rows: threads } = await sql<{ id: string; title: string }>`
    select id, title from threads where id in ${idsOf(threadIds)} and ${isThreadVisible()}`.execute(db)
  const titles = new Map(threads.map(({ id, title }) => [id, title]))
  return rows.map((row) => {
    const title = titles.get(row.threadId ?? '') ?? null
    return { ...row, threadId: title === null ? null : row.threadId, title }
  })
}

/**
 * Empties the details of some entries older than a time: names, notes, long lists of posts. The
 * entry itself (who, what, rule, reason) is kept for ever.
 * @returns how many
 */
export async function emptyOldDetails(db: Db, before: Date, limit: number): Promise<number> {
  const { rows } = await sql`
    update "auditLog" set details = '{}' where id = any(array(
      select id from "auditLog" where details <> '{}' and id < ${uuidv7Floor(before.getTime())}::uuid order by id limit ${limit}
    )) returning 1`.execute(db)
  return rows.length
}
