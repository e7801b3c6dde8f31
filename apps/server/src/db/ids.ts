import { sql, type RawBuilder } from 'kysely'

/** Ids as a subquery with a column `id`, in one parameter for any number of ids. */
export const idsOf = (ids: readonly string[]): RawBuilder<string> =>
  sql`(select value::uuid as id from json_array_elements_text(${JSON.stringify(ids)}::text::json))`

/** Whether a column names a category within a moderator's scope. */
export const isWithin = (scope: 'all' | readonly string[], column: RawBuilder<unknown>): RawBuilder<boolean> =>
  // As an array, for which PostgreSQL uses an index on the category when few rows match.
  scope === 'all' ? sql`true` : sql`${column} = any(${`{${scope.join(',')}}`}::text::uuid[])`
