import { sql, type Selectable } from 'kysely'
import type { WordAction } from '@shinobi/contract/words'
import type { Db } from '../../db/client.ts'
import type { BannedWordsTable } from '../../db/tables.ts'
import { isPostRemoved, isThreadVisible } from '../../db/visible.ts'

export type WordRow = Selectable<BannedWordsTable>

/**
 * All rules for the matcher, oldest first, so that the older of two words found at one place is
 * reported.
 */
export const selectRules = (db: Db): Promise<Pick<WordRow, 'word' | 'allow' | 'action'>[]> =>
  db.selectFrom('bannedWords').select(['word', 'allow', 'action']).orderBy('id').execute()

/** All words with their ids, newest first. */
export const selectWords = (db: Db): Promise<Pick<WordRow, 'id' | 'word'>[]> =>
  db.selectFrom('bannedWords').select(['id', 'word']).orderBy('id', 'desc').execute()

/** Rules after the cursor, newest first. */
export function selectWordPage(db: Db, cursor: string | null, limit: number): Promise<WordRow[]> {
  const query = db.selectFrom('bannedWords').selectAll().orderBy('id', 'desc').limit(limit)
  return (cursor === null ? query : query.where('id', '<', cursor)).execute()
}

/** The rules with these ids, newest first. */
export const selectWordsById = (db: Db, ids: readonly string[]): Promise<WordRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : db.selectFrom('bannedWords').selectAll().where('id', 'in', ids).orderBy('id', 'desc').execute()

/** Counting is cheap, because there are at most WORDS_MAX. */
export async function countWords(db: Db): Promise<number> {
  const row = await db
    .selectFrom('bannedWords')
    .select(sql<number>`count(*)::integer`.as('words'))
    .executeTakeFirstOrThrow()
  return row.words
}

/** Locks a rule until the transaction ends. */
export const lockWord = (tx: Db, id: string): Promise<WordRow | undefined> =>
  tx.selectFrom('bannedWords').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

export interface NewWord {
  readonly id: string
  readonly word: string
  readonly allow: readonly string[]
  readonly action: WordAction
  readonly note: string
  readonly createdAt: Date
}

/** Inserts rules in one statement. */
export async function insertWords(tx: Db, words: readonly NewWord[]): Promise<void> {
  const input = JSON.stringify(words)
  await sql`
    insert into "bannedWords" (id, word, allow, action, note, "createdAt")
    select id, word, allow, action, note, "createdAt" from json_to_recordset(${input}::text::json)
      as given(id uuid, word text, allow jsonb, action text, note text, "createdAt" timestamptz)`.execute(tx)
}

export async function updateWord(
  tx: Db,
  id: string,
  { word, allow, action, note }: Pick<NewWord, 'word' | 'allow' | 'action' | 'note'>,
): Promise<void> {
  await sql`
    update "bannedWords"
    set word = ${word}::text, allow = ${JSON.stringify(allow)}::text::jsonb, action = ${action}::text, note = ${note}::text
    where id = ${id}::uuid`.execute(tx)
}

export async function deleteWord(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom('bannedWords').where('id', '=', id).execute()
}

/** A post as read for a trial. */
export interface TrialPost {
  readonly threadId: string
  readonly id: string
  readonly number: number
  readonly content: string
  readonly createdAt: Date
  readonly isRemoved: boolean
}

/** Posts by id, newest first: before one id, and from another one on. */
export async function selectPostsBackwards(
  db: Db,
  { before, from, limit }: { before: string | null; from: string; limit: number },
): Promise<TrialPost[]> {
  let query = db
    .selectFrom('posts')
    .select(['threadId', 'id', 'number', 'content', 'createdAt'])
    .select(isPostRemoved().as('isRemoved'))
    .where('id', '>=', from)
    .orderBy('id', 'desc')
    .limit(limit)
  if (before !== null) query = query.where('id', '<', before)
  return query.execute()
}

/** Titles of the visible threads among these. */
export async function selectTitles(db: Db, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('threads')
    .select(['id', 'title'])
    .where('id', 'in', ids)
    .where(isThreadVisible())
    .execute()
  return new Map(rows.map(({ id, title }) => [id, title]))
}
