/**
 * Changes the word rules. Every change is logged, and applies on every server within two seconds
 * (db/revisions.ts).
 */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { WORDS_MAX } from '@shinobi/contract/limits'
import { WORD } from '@shinobi/contract/staff-limits'
import { cleanLine, findProblem } from '@shinobi/contract/text'
import type { WordAction, WordChange, WordInput } from '@shinobi/contract/words'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldForFilter } from './fold-for-filter.ts'
import { toPage } from '../../lib/page.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import {
  deleteWord,
  insertWords,
  lockWord,
  selectWordPage,
  selectWords,
  selectWordsById,
  updateWord,
  countWords,
  type WordRow,
} from './words.queries.ts'

type RuleDeps = Pick<Core, 'db' | 'now' | 'revisions'>

const foldWord = (word: string): string => foldForFilter(word).text
/** The fields of a rule that the log shows. */
const toLogged = ({ word, allow, action, note }: Pick<WordRow, 'word' | 'allow' | 'action' | 'note'>) => ({
  word,
  allow,
  action,
  note,
})

/** Words folded before the event loop gets a turn: a few milliseconds. */
const AT_A_GO = 2_000

/** All words with their folds, newest first. Words with equal folds are one word to the filter. */
async function readFolds(db: Db): Promise<{ id: string; word: string; fold: string }[]> {
  const folded: { id: string; word: string; fold: string }[] = []
  for (const [index, row] of (await selectWords(db)).entries()) {
    if (index > 0 && index % AT_A_GO === 0) await yieldToEventLoop()
    folded.push({ ...row, fold: foldWord(row.word) })
  }
  return folded
}

/**
 * Begins a change. The next change waits for the end of this transaction, so that two words with
 * equal folds cannot be added at the same time.
 * @returns the folds of the existing words
 */
async function beginChange(tx: Transaction<Tables>, { revisions }: RuleDeps): Promise<Set<string>> {
  await revisions.raise(tx, 'words')
  return new Set((await readFolds(tx)).map(({ fold }) => fold))
}

/** @throws ApiError bad_word for a word of signs only, which folds to nothing */
function foldUsable(word: string): string {
  const fold = foldWord(word)
  if (fold === '') throw refuse('bad_word', 'word_empty')
  return fold
}

/** A page of the rules; `q` finds words in any spelling. */
export async function listWordRules(
  db: Db,
  { q, cursor, limit }: { q: string; cursor: string | null; limit: number },
): Promise<{ page: readonly WordRow[]; next: string | null; total: number }> {
  const typed = q.trim().toLowerCase()
  if (typed === '') {
    const [rows, total] = await Promise.all([selectWordPage(db, cursor, limit + 1), countWords(db)])
    return { ...toPage(rows, limit), total }
  }
  const fold = foldWord(typed)
  const found = (await readFolds(db)).filter(
    (one) => one.word.toLowerCase().includes(typed) || (fold !== '' && one.fold.includes(fold)),
  )
  const rest = cursor === null ? found : found.filter(({ id }) => id < cursor)
  const { page, next } = toPage(rest, limit)
  const ids = page.map(({ id }) => id)
  return { page: await selectWordsById(db, ids), next, total: found.length }
}

/**
 * @throws ApiError bad_word, taken (also for another spelling of an existing word, and when there
 * are too many)
 */
export async function createWordRule(deps: RuleDeps, actor: Member, input: WordInput): Promise<WordRow> {
  const fold = foldUsable(input.word)
  const createdAt = new Date(deps.now())
  return inTransaction(deps.db, async (tx) => {
    const known = await beginChange(tx, deps)
    if (known.has(fold)) throw refuse('taken', 'word_taken')
    if (known.size >= WORDS_MAX) throw refuse('taken', 'words_full')
    const row = { ...input, id: uuidv7(createdAt.getTime()), createdAt }
    await insertWords(tx, [row])
    const details = { after: toLogged(row) }
    await insertAudit(tx, { actor, at: createdAt, action: 'word_create', subject: row.word, details })
    return row
  })
}

/** Changes fields of a rule. @throws ApiError not_found, bad_word, taken */
export async function changeWordRule(deps: RuleDeps, actor: Member, id: string, change: WordChange): Promise<WordRow> {
  const fold = change.word === undefined ? null : foldUsable(change.word)
  return inTransaction(deps.db, async (tx) => {
    const known = await beginChange(tx, deps)
    const before = await lockWord(tx, id)
    if (before === undefined) throw refuse('not_found', 'word_not_found')
    // Two rules that already have equal folds can both be changed.
    if (fold !== null && fold !== foldWord(before.word) && known.has(fold)) throw refuse('taken', 'word_taken')
    const after = {
      word: change.word ?? before.word,
      allow: change.allow ?? before.allow,
      action: change.action ?? before.action,
      note: change.note ?? before.note,
    }
    await updateWord(tx, id, after)
    await insertAudit(tx, {
      actor,
      at: new Date(deps.now()),
      action: 'word_change',
      subject: after.word,
      details: { before: toLogged(before), after },
    })
    return { ...before, ...after }
  })
}

/** @throws ApiError not_found */
export async function deleteWordRule(deps: RuleDeps, actor: Member, id: string): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    await deps.revisions.raise(tx, 'words')
    const before = await lockWord(tx, id)
    if (before === undefined) throw refuse('not_found', 'word_not_found')
    await deleteWord(tx, id)
    await insertAudit(tx, {
      actor,
      at: new Date(deps.now()),
      action: 'word_delete',
      subject: before.word,
      details: { before: toLogged(before) },
    })
  })
}

/** The result of an import. */
export interface Imported {
  readonly added: number
  /** Existing words, and repetitions in the list, in this or another spelling. */
  readonly known: number
  /** Words that are too long, or of signs only; as typed. */
  readonly unusable: readonly string[]
}

/** Maximum number of unusable lines in the answer, and of characters of each. */
const UNUSABLE_MAX = 100
const UNUSABLE_LENGTH = 100

/**
 * Adds words, one per line, with one action. Existing rules stay unchanged.
 * @throws ApiError taken when there would be too many
 */
export async function importWordRules(
  deps: RuleDeps,
  actor: Member,
  { words, action }: { readonly words: string; readonly action: WordAction },
): Promise<Imported> {
  const createdAt = new Date(deps.now())
  const given: { word: string; fold: string }[] = []
  const unusable: string[] = []
  for (const [index, one] of words.split(/\r\n?|\n/).entries()) {
    if (index > 0 && index % AT_A_GO === 0) await yieldToEventLoop()
    const word = cleanLine(one)
    if (word === '') continue
    const fold = findProblem(word, WORD, 'line') === null ? foldWord(word) : ''
    if (fold === '') unusable.push(word.slice(0, UNUSABLE_LENGTH).toWellFormed())
    else given.push({ word, fold })
  }
  return inTransaction(deps.db, async (tx) => {
    const known = await beginChange(tx, deps)
    const added = [...Map.groupBy(given, ({ fold }) => fold)]
      .filter(([fold]) => !known.has(fold))
      .map(([, [first]]) => ({ ...first!, allow: [], note: '', action, createdAt, id: uuidv7(createdAt.getTime()) }))
    if (known.size + added.length > WORDS_MAX) throw refuse('taken', 'words_full')
    if (added.length > 0) {
      await insertWords(tx, added)
      const details = { after: { action, words: added.map(({ word }) => word) } }
      const subject = `${added.length}件`
      await insertAudit(tx, { actor, at: createdAt, action: 'words_import', subject, details })
    }
    return {
      added: added.length,
      known: given.length - added.length,
      unusable: unusable.slice(0, UNUSABLE_MAX),
    }
  })
}
