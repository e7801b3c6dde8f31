/** Lists of past logs (過去ログ): threads that reached their limit, the last closed first. */
import { sql } from 'kysely'
import type { Db } from '../../db/client.ts'
import { isThreadVisible } from '../../db/visible.ts'
import { refuse } from '../../lib/api-error.ts'
import { UUID } from '../../lib/uuid.ts'
import { listedThreads } from './thread-heads.ts'
import { fromThreads, inCategory, selectThread, type ThreadRow } from './threads.queries.ts'

/** The end of a page: when its last thread was closed, in milliseconds, and its id. */
interface PastCursor {
  readonly closedAt: number
  readonly id: string
}

export const writePastCursor = (row: Pick<ThreadRow, 'closedAt' | 'id'>): string =>
  `z${row.closedAt?.getTime() ?? 0}.${row.id}`

/** @throws ApiError bad_cursor */
export function readPastCursor(text: string): PastCursor {
  const match = /^z(\d{1,15})\.(.+)$/.exec(text)
  if (match === null || !UUID.test(match[2]!)) throw refuse('bad_cursor', 'bad_cursor')
  return { closedAt: Number(match[1]), id: match[2]!.toLowerCase() }
}

export async function selectPastThreads(
  db: Db,
  { categoryId, cursor, limit }: { categoryId: string | null; cursor: PastCursor | null; limit: number },
): Promise<ThreadRow[]> {
  const from =
    cursor === null
      ? sql`true`
      : sql`(t."closedAt", t.id) < (${new Date(cursor.closedAt)}::timestamptz, ${cursor.id}::uuid)`
  const { table } = await listedThreads(db)
  const { rows } = await sql<ThreadRow>`
    ${selectThread} ${fromThreads(table)}
    where t."closedAt" is not null and ${isThreadVisible('t')} and ${inCategory(categoryId)} and ${from}
    order by t."closedAt" desc, t.id desc limit ${limit}`.execute(db)
  return rows
}
