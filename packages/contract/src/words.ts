/** Banned words, as administrators manage them. */
import { z } from 'zod'
import { answers, created, done, id, line, noteText, requires, time, wholeNumber, type Call } from './common.ts'
import { wordWords } from './complaints.ts'
import { WORD_ALLOW_MAX, WORD_IMPORT_BYTES, WORDS_PAGE } from './limits.ts'
import { WORD } from './staff-limits.ts'
import { messages } from './messages.ts'

/**
 * Refuse the text, store it with the word masked, hold it for a moderator, or publish it and open a
 * case.
 */
export const wordAction = z.enum(['block', 'mask', 'hold', 'flag'])
export type WordAction = z.infer<typeof wordAction>

const wordText = line(WORD, wordWords)
const allowed = z.array(wordText).max(WORD_ALLOW_MAX).default([])

export const wordInput = z.object({
  word: wordText.describe('found however it is written: width, kana, spacing, look-alikes'),
  allow: allowed.describe('longer harmless words that contain it'),
  action: wordAction.default('block'),
  note: noteText.default(''),
})
export type WordInput = z.infer<typeof wordInput>

/** Fields of a rule to change. Those that are left out stay, for another may change them. */
const wordChange = wordInput.extend({ allow: allowed.unwrap(), action: wordAction, note: noteText }).partial()
export type WordChange = z.infer<typeof wordChange>

export const wordRule = z.object({
  _id: id,
  word: z.string(),
  allow: z.array(z.string()),
  action: wordAction,
  note: z.string(),
  createdAt: time,
})
export type WordRule = z.infer<typeof wordRule>

const wordParams = z.object({ wordId: id })

export const listWords = {
  ...requires('editWords'),
  method: 'GET',
  url: '/api/admin/words',
  schema: {
    summary: 'Word rules, newest first',
    tags: ['words'],
    querystring: z.object({
      q: z.string().max(100).default('').describe('words that contain it'),
      cursor: id.optional(),
      limit: wholeNumber(1, 200).default(WORDS_PAGE),
    }),
    response: answers(z.object({ words: z.array(wordRule), next: id.nullable(), total: z.number().int() })),
  },
} as const satisfies Call

export const createWord = {
  ...requires('editWords'),
  method: 'POST',
  url: '/api/admin/words',
  schema: { summary: 'Add a word rule', tags: ['words'], body: wordInput, response: created(wordRule) },
} as const satisfies Call

export const importWords = {
  ...requires('editWords'),
  method: 'POST',
  url: '/api/admin/words/import',
  schema: {
    summary: 'Add many words, one a line; those that are there stay as they are',
    tags: ['words'],
    body: z.object({ words: z.string().min(1, messages.word_required).max(WORD_IMPORT_BYTES), action: wordAction }),
    response: answers(z.object({ added: z.number().int(), known: z.number().int(), unusable: z.array(z.string()) })),
  },
} as const satisfies Call

export const changeWord = {
  ...requires('editWords'),
  method: 'PUT',
  url: '/api/admin/words/:wordId',
  schema: {
    summary: 'Change a word rule',
    description: 'Fields that are left out stay.',
    tags: ['words'],
    params: wordParams,
    body: wordChange,
    response: answers(wordRule),
  },
} as const satisfies Call

export const deleteWord = {
  ...requires('editWords'),
  method: 'DELETE',
  url: '/api/admin/words/:wordId',
  schema: { summary: 'Delete a word rule', tags: ['words'], params: wordParams, response: answers(done) },
} as const satisfies Call

export const wordHit = z.object({
  threadId: id,
  postId: id,
  number: z.number().int(),
  title: z.string().describe('of the thread'),
  text: z.string().describe('the words around the hit'),
  start: z.number().int().describe('where in `text` the hit begins, in UTF-16 units'),
  end: z.number().int(),
  createdAt: time,
})
export type WordHit = z.infer<typeof wordHit>

export const wordTrial = z.object({
  examined: z.number().int().describe('posts looked at'),
  complete: z.boolean().describe('whether these were all of the last 7 days'),
  since: time.describe('the oldest that was looked at'),
  total: z.number().int().describe('posts hit'),
  hits: z.array(wordHit).describe('the newest of them'),
})
export type WordTrial = z.infer<typeof wordTrial>

export const tryWord = {
  ...requires('editWords'),
  method: 'POST',
  url: '/api/admin/words/trial',
  schema: {
    summary: 'What a rule would have hit in the last 7 days',
    description: 'Looks at the newest posts first, as far as time allows, and says how far it came.',
    tags: ['words'],
    body: wordInput.pick({ word: true, allow: true }),
    response: answers(wordTrial),
  },
} as const satisfies Call
