/** The rules of hiding (NG) of a member: what follows from one device to another. */
import { z } from 'zod'
import { answers, done, id, requires, wholeNumber, type Call } from './common.ts'
import { isStorableText, RULE_KINDS } from './hiding-entry.ts'
import { HIDING_BATCH, HIDING_ROWS_MAX, HIDING_RULES_MAX, HIDING_TEXT } from './limits.ts'
import { messages } from './messages.ts'
import { meantMember } from './notebook.ts'

const at = z.int().min(0)

export const hidingEntry = z.object({
  kind: z.enum(RULE_KINDS),
  text: z
    .string()
    .refine(isStorableText, { error: messages.hiding_text_long })
    .describe(`as typed, at most ${HIDING_TEXT.maxBytes} bytes`),
  threadId: id.nullable().describe('the only thread it is for'),
  traits: z
    .object({ chain: z.boolean(), traceless: z.boolean(), endsAt: at.nullable() })
    .nullable()
    .describe('null for a rule that was removed or has ended'),
  changedAt: at.describe('milliseconds since 1970; one in the future becomes now'),
})

export const storedHiding = z.object({
  entries: z.array(hidingEntry).describe('oldest change first'),
  since: z.int().describe('for the next call'),
  more: z.boolean().describe('whether the next call has more entries now'),
  total: z.int().describe('rules that are stored and have not ended'),
})
export type StoredHiding = z.infer<typeof storedHiding>

/** How late it is for the server: entries of a later time were stored as of then. */
export const mergedHiding = z.object({ at: z.int() })
export type MergedHiding = z.infer<typeof mergedHiding>

export const readHiding = {
  ...requires('keepNotebook'),
  method: 'GET',
  url: '/api/notebook/hiding',
  schema: {
    summary: 'What has changed in the member’s rules of hiding',
    description: `At most ${HIDING_BATCH} entries. Only the member's own are ever answered.`,
    tags: ['notebook'],
    querystring: meantMember.extend({
      since: wholeNumber(0, Number.MAX_SAFE_INTEGER).default(0).describe('`since` of the answer before'),
    }),
    response: answers(storedHiding),
  },
} as const satisfies Call

export const addToHiding = {
  ...requires('keepNotebook'),
  method: 'POST',
  url: '/api/notebook/hiding',
  schema: {
    summary: 'Merge changes into the member’s rules of hiding',
    description:
      'Of rules about the same the newest change stays, a removal too. A removal of what is not stored is ' +
      `ignored. 409 \`full\`, and nothing is stored, beyond ${HIDING_RULES_MAX} rules; beyond ${HIDING_ROWS_MAX} ` +
      'with those removed, the earliest removals are forgotten.',
    tags: ['notebook'],
    querystring: meantMember,
    body: z.object({ entries: z.array(hidingEntry).min(1).max(HIDING_BATCH) }),
    response: answers(mergedHiding),
  },
} as const satisfies Call

export const clearHiding = {
  ...requires('keepNotebook'),
  method: 'DELETE',
  url: '/api/notebook/hiding',
  schema: {
    summary: 'Delete all rules of hiding that are stored for the member',
    description: 'What their browsers keep stays there.',
    tags: ['notebook'],
    querystring: meantMember,
    response: answers(done),
  },
} as const satisfies Call
