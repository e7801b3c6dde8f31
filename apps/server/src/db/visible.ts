/**
 * The conditions for visible and removed rows, defined once for each table, for features before and
 * after the owners of threads and posts. A table, or its alias, is named where a query has several.
 */
import { sql, type RawBuilder } from 'kysely'

const columnOf = (of: string | undefined, column: string) => sql.ref(of === undefined ? column : `${of}.${column}`)

/**
 * SQL: whether a thread is visible, that is, not removed. The partial indexes of the lists contain
 * only such rows.
 */
export const isThreadVisible = (of?: string): RawBuilder<boolean> => sql<boolean>`${columnOf(of, 'removedAt')} is null`

/** SQL: whether a thread was removed and is not yet purged. */
export const isThreadRemoved = (of?: string): RawBuilder<boolean> =>
  sql<boolean>`${columnOf(of, 'removedAt')} is not null`

/** SQL: whether a post is not removed; its thread may be removed nevertheless. */
export const isPostVisible = (of?: string): RawBuilder<boolean> => sql<boolean>`${columnOf(of, 'deletedAt')} is null`

/** SQL: whether a post is a tombstone. */
export const isPostRemoved = (of?: string): RawBuilder<boolean> =>
  sql<boolean>`${columnOf(of, 'deletedAt')} is not null`
