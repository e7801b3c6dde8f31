import { sql, type RawBuilder } from 'kysely'

/** Ids as a subquery with a column `id`, in one parameter however many they are. */
export const idsOf = (ids: readonly string[]): RawBuilder<string> =>
  sql`(select value::uuid as id from json_array_elements_text(${JSON.stringify(ids)}::text::json))`

/** Whether a column names a category of a part of the board. */
export const isWithin = (scope: 'all' | readonly string[], column: RawBuilder<unknown>): RawBuilder<boolean> =>
  // As an array, for which PostgreSQL takes an index on the category when little is of one.
  scope === 'all' ? sql`true` : sql`${column} = any(${`{${scope.join(',')}}`}::text::uuid[])`
