/** 忍法帖: the level of the visitor, what it opens, and how it moves to another browser. */
import { z } from 'zod'
import { answers, done, requires, time, type Call } from './common.ts'
import { LEVEL_MAX, LEVEL_PHRASE_CHARACTERS, LEVEL_PHRASE_HOURS, LEVEL_PHRASE_WORDS } from './limits.ts'
import { messages } from './messages.ts'

const level = z.int().min(0).max(LEVEL_MAX)

export const scroll = z.object({
  of: z.enum(['browser', 'member']).describe('whose level it is; that of a member is the same on all devices'),
  level,
  days: z.int().describe('clean days that are over'),
  removals: z.int().describe('removed posts that no clean day has made up for yet'),
  today: z
    .enum(['none', 'written', 'removed'])
    .describe('written: the day counts when it is over; removed: a post was removed, so it does not'),
  dayEndsAt: time.describe('midnight in Japan'),
  opens: z
    .array(
      z.object({
        what: z.enum(['links', 'images', 'threads', 'owner', 'raid', 'copies', 'cooldown', 'words']),
        level: z.int().describe('from which it is open'),
        isOpen: z.boolean(),
      }),
    )
    .describe('lowest level first; without what no level opens'),
  phraseEndsAt: time.nullable().describe('of the phrase that moves this level; null without one'),
  levelOfBrowser: level
    .nullable()
    .describe('for a member: what the account would have with the level of this browser, if that is more'),
})
export type Scroll = z.infer<typeof scroll>
export type ScrollOpening = Scroll['opens'][number]['what']

export const getScroll = {
  method: 'GET',
  url: '/api/scroll',
  schema: {
    summary: 'The level of the visitor',
    description: 'By session or visitor cookie. It sets no cookie. Nobody else sees it.',
    tags: ['levels'],
    response: answers(scroll),
  },
} as const satisfies Call

export const makePhrase = {
  method: 'POST',
  url: '/api/scroll/phrase',
  schema: {
    summary: 'Make the phrase that moves the level of this browser to another one',
    description: `It works once, for ${LEVEL_PHRASE_HOURS} hours, and replaces an earlier one. It is not shown again.`,
    tags: ['levels'],
    response: answers(
      z.object({
        phrase: z.string().describe(`${LEVEL_PHRASE_WORDS} words in hiragana with spaces between them`),
        endsAt: time,
      }),
    ),
  },
} as const satisfies Call

export const revokePhrase = {
  method: 'DELETE',
  url: '/api/scroll/phrase',
  schema: { summary: 'Revoke that phrase', tags: ['levels'], response: answers(done) },
} as const satisfies Call

export const claimPhrase = {
  method: 'POST',
  url: '/api/scroll/claim',
  schema: {
    summary: 'Move the level of another browser here, by its phrase',
    description:
      'To this browser, or to the account of a member. Width, kana and spaces of the phrase make no difference. The ' +
      'other browser begins anew. Levels are not added up: the higher number of clean days stays, and the removals of both.',
    tags: ['levels'],
    body: z.object({
      phrase: z
        .string({ error: messages.phrase_required })
        .max(LEVEL_PHRASE_CHARACTERS, { error: messages.phrase_unknown })
        .regex(/\S/, { error: messages.phrase_required }),
    }),
    response: answers(scroll),
  },
} as const satisfies Call

export const joinScrolls = {
  ...requires('keepAccount'),
  method: 'POST',
  url: '/api/scroll/join',
  schema: {
    summary: 'Move the level of this browser to the account of the member',
    description: 'As with a phrase: only a higher level moves, and the browser begins anew.',
    tags: ['levels'],
    response: answers(scroll),
  },
} as const satisfies Call
