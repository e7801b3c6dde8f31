import type { WordRule } from '@shinobi/contract/words'
import type { WordRow } from './words.queries.ts'

export const toWordRule = (row: WordRow): WordRule => ({
  _id: row.id,
  word: row.word,
  allow: row.allow,
  action: row.action,
  note: row.note,
  createdAt: row.createdAt.toISOString(),
})
