/** Bans: who may not write, where, why and until when. A ban never affects reading. */
import { z } from 'zod'
import { answers, created, done, id, reasonText, noteText, requires, time, wholeNumber, type Call } from './common.ts'
import { BAN_HOURS_MAX, BANS_PAGE } from './limits.ts'

/** The account, the browser (its visitor token), or the network (IPv4 /24, IPv6 /64). */
export const banKind = z.enum(['user', 'visitor', 'network'])
export type BanKind = z.infer<typeof banKind>
export const banScope = z.enum(['site', 'category', 'thread'])
export type BanScope = z.infer<typeof banScope>

/**
 * The writer of a post, member or visitor; or a member by id, for moderators of the whole board.
 */
export const banTarget = z.union([z.object({ threadId: id, postId: id }), z.object({ userId: id })])
export type BanTarget = z.infer<typeof banTarget>

/** Terms of a ban, without its target. */
export const banTerms = z.object({
  on: z.array(banKind).min(1).max(3).describe('a ban for each'),
  scope: banScope.default('site'),
  scopeId: id.nullish().describe('category or thread; that of the post when not given'),
  reason: reasonText.describe('shown to the banned'),
  note: noteText.default('').describe('for moderators and administrators'),
  hours: wholeNumber(1, BAN_HOURS_MAX).nullable().describe('null: until it is lifted'),
})
export type BanTerms = z.infer<typeof banTerms>
export const banInput = banTerms.extend({ target: banTarget })
export type BanInput = z.infer<typeof banInput>

export const ban = z.object({
  _id: id,
  kind: banKind,
  label: z.string().describe('a name, or a masked token'),
  scope: banScope,
  scopeId: id.nullable(),
  scopeLabel: z.string().nullable().describe('name of the category, title of the thread'),
  reason: z.string(),
  note: z.string(),
  createdAt: time,
  createdBy: z.string().nullable().describe('who moderates some categories gets no name but their own'),
  expiresAt: time.nullable(),
  liftedAt: time.nullable(),
})
export type Ban = z.infer<typeof ban>

/**
 * The kinds of ban that are possible for a target, whom each would affect, and what is in force
 * already.
 */
export const banPreview = z.object({
  standing: z
    .array(ban)
    .describe('bans in force of the member or the browser, newest first; those of the own categories'),
  kinds: z.array(
    z.object({
      kind: banKind,
      possible: z.boolean(),
      posters: z.number().int().describe('members and visitors who wrote in the last 7 days and would be hit'),
    }),
  ),
})
export type BanPreview = z.infer<typeof banPreview>

export const listBans = {
  ...requires('ban'),
  method: 'GET',
  url: '/api/admin/bans',
  schema: {
    summary: 'Bans, newest first; who moderates some categories gets those that hold in them',
    tags: ['bans'],
    querystring: z.object({
      standing: z.stringbool().default(true).describe('only those that are in force'),
      cursor: id.optional(),
      limit: wholeNumber(1, 100).default(BANS_PAGE),
    }),
    response: answers(z.object({ bans: z.array(ban), next: id.nullable() })),
  },
} as const satisfies Call

export const previewBan = {
  ...requires('ban'),
  method: 'POST',
  url: '/api/admin/bans/preview',
  schema: {
    summary: 'How many recent posters a ban would hit, and which bans of the target are in force',
    tags: ['bans'],
    body: z.object({ target: banTarget }),
    response: answers(banPreview),
  },
} as const satisfies Call

export const createBan = {
  ...requires('ban'),
  method: 'POST',
  url: '/api/admin/bans',
  schema: { summary: 'Ban', tags: ['bans'], body: banInput, response: created(z.object({ bans: z.array(ban) })) },
} as const satisfies Call

export const liftBan = {
  ...requires('ban'),
  method: 'DELETE',
  url: '/api/admin/bans/:banId',
  schema: { summary: 'Lift a ban', tags: ['bans'], params: z.object({ banId: id }), response: answers(done) },
} as const satisfies Call
