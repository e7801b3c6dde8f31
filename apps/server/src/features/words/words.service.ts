import type { Db } from '../../db/client.ts'
import { createWordMatcher, type WordMatcher } from '../../lib/word-matcher.ts'

/** Tells whether a text holds a banned word, however it is written (width, kana, spacing, look-alikes: see lib/fold-for-filter.ts). */
export interface BannedWords {
  isBanned(text: string): boolean
  /** Reads the words again after they have changed. */
  reload(): Promise<void>
}

export async function loadBannedWords(db: Db): Promise<BannedWords> {
  let matcher: WordMatcher
  const reload = async (): Promise<void> => {
    const rules = await db.selectFrom('bannedWords').select(['word', 'allow']).execute()
    matcher = createWordMatcher(rules)
  }
  await reload()
  return { isBanned: (text) => matcher.find(text) !== null, reload }
}
