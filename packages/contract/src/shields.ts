/** Raid mode (結界), and what visitors see of the board's state. */
import { z } from 'zod'
import { answers, id, requires, time, wholeNumber, type Call } from './common.ts'
import { SHIELD_MINUTES_MAX } from './limits.ts'

const step = z.number().int().min(0).max(4)

/** A category in raid mode, as visitors see it. */
export const shieldNotice = z.object({
  categoryId: id,
  category: z.string(),
  step: step.describe('1 cooldown, 2 proof of work, 3 hold, 4 lock; see SHIELD_STEPS'),
  since: time,
})
export type ShieldNotice = z.infer<typeof shieldNotice>

/** Why writing is suspended for everybody. */
export const pause = z.object({
  reason: z.enum(['read_only', 'disk_full']),
  message: z.string().describe('in Japanese: what a refused write is answered, too'),
  note: z.string().describe('a moderator’s own words; empty for none'),
})
export type Pause = z.infer<typeof pause>

export const notices = z.object({
  pause: pause.nullable().describe('null while the board takes writes'),
  partlyAway: z.boolean().describe('true while some threads cannot be read or written, and lists may be minutes old'),
  banner: z.string().describe('an administrator’s own words, on every page; empty for none'),
  shields: z.array(shieldNotice),
  ownDeleteMinutes: z.number().int().describe('for so long a post can be deleted by its writer; 0 for never'),
})
export type Notices = z.infer<typeof notices>

export const getNotices = {
  method: 'GET',
  url: '/api/notices',
  schema: { summary: 'What every visitor should know now', tags: ['site'], response: answers(notices) },
} as const satisfies Call

export const shield = shieldNotice.extend({
  since: time.nullable().describe('null while it is calm'),
  manual: z.boolean().describe('set by hand: it stays until `until`'),
  until: time.nullable(),
  postsPerMinute: z.number().int().describe('tries of the last 60 seconds at this server'),
  threadsPerMinute: z.number().int(),
})
export type Shield = z.infer<typeof shield>

export const listShields = {
  ...requires('setShields'),
  method: 'GET',
  url: '/api/admin/shields',
  schema: {
    summary: 'Raid mode of every category that the moderator is for',
    tags: ['shields'],
    response: answers(z.object({ automatic: z.boolean(), shields: z.array(shield) })),
  },
} as const satisfies Call

export const setShield = {
  ...requires('setShields'),
  method: 'PUT',
  url: '/api/admin/shields/:categoryId',
  schema: {
    summary: 'Set a step by hand, or leave it to the board again',
    tags: ['shields'],
    params: z.object({ categoryId: id }),
    body: z.object({
      step: step.nullable().describe('null: the board decides again'),
      minutes: wholeNumber(1, SHIELD_MINUTES_MAX).nullable().default(null).describe('for so long; null until changed'),
    }),
    response: answers(shield),
  },
} as const satisfies Call

/** A challenge of altcha-lib; the browser searches for its solution in a worker. */
export const proofChallenge = z.record(z.string(), z.unknown()).describe('as altcha-lib makes it; opaque')
export const proofAnswer = z.object({ until: time.describe('until then this browser need not prove again') })

export const challengeProof = {
  method: 'POST',
  url: '/api/proofs/challenge',
  schema: {
    summary: 'A small task for the browser, asked of newcomers while a shield stands',
    description:
      'Call it when a post is refused with `proof_required`. Bound to the visitor, who gets the cookie here.',
    tags: ['shields'],
    response: answers(z.object({ challenge: proofChallenge })),
  },
} as const satisfies Call

export const submitProof = {
  method: 'POST',
  url: '/api/proofs',
  schema: {
    summary: 'The solution of a challenge',
    tags: ['shields'],
    body: z.object({ payload: z.string().min(1).max(8_192).describe('challenge and solution, base64 of JSON') }),
    response: answers(proofAnswer),
  },
} as const satisfies Call

export const makeProofCode = {
  method: 'POST',
  url: '/api/proofs/code',
  schema: {
    summary: 'Make a code that takes the proof of this browser to a browser of 2ch',
    description:
      'The client sends it in its mail field, as `#code`. It works once, for ten minutes. 428 `proof_required` without a valid proof.',
    tags: ['shields'],
    response: answers(z.object({ code: z.string(), endsAt: time })),
  },
} as const satisfies Call
