/** Pieces that the schemas of several nouns share. */
import { z } from 'zod'
import { findComplaint, reasonWords, type TextWords } from './complaints.ts'
import { errorAnswer } from './errors.ts'
import { MODERATION_NOTE, MODERATION_REASON, PAGE_SIZE, PAGE_SIZE_MAX, type TextLimit } from './limits.ts'
import { messages } from './messages.ts'
import { cleanBody, cleanLine, cleanName } from './text.ts'

/** Id of any entity: a UUIDv7 in lower case, so ids sort by creation. */
export const id = z.uuid({ error: messages.bad_id }).overwrite((value) => value.toLowerCase())
/** A point in time, ISO 8601 UTC. */
export const time = z.iso.datetime()

/** A category in a URL: its id or its name. */
export const categoryRef = z
  .string()
  .min(1)
  .max(120)
  .regex(/^\P{Cc}+$/u)
  .describe('id or name of a category')

/** The answer of a call that has nothing to tell. */
export const done = z.object({})
/** The answer of an action that can be taken back: its entry in the log. */
export const logged = z.object({ actionId: id })

/** A whole number in a query string. */
export const wholeNumber = (min: number, max: number) => z.coerce.number().int().min(min).max(max)

/** Position and size of a page of a keyset-paged list; the next page's address comes in the `Link` header. */
export const pageQuery = z.object({
  limit: wholeNumber(1, PAGE_SIZE_MAX).default(PAGE_SIZE).describe('items on the page'),
  cursor: z.string().max(200).optional().describe('opaque; taken from the Link header of the page before'),
})

/** Page number of an admin list. */
export const adminPageQuery = (pageSize: number) =>
  z.object({ page: wholeNumber(1, 1_000_000).default(1), limit: wholeNumber(1, PAGE_SIZE_MAX).default(pageSize) })

export const pagination = z.object({
  page: z.number().int(),
  totalPages: z.number().int(),
  total: z.number().int(),
  partial: z
    .literal(true)
    .optional()
    .describe('a filtered list that found as many rows, or looked through as many, as it may: there may be more'),
})
export type Pagination = z.infer<typeof pagination>

function text(limit: TextLimit, kind: 'body' | 'line', clean: (value: string) => string, words: TextWords) {
  return (
    z
      .string({ error: words.blank })
      // Before anything reads it: what is far too long is not even cleaned.
      .max(2 * limit.maxBytes + 64, { error: words.too_long, abort: true })
      .overwrite(clean)
      .superRefine((value, context) => {
        const message = findComplaint(value, limit, kind, words)
        if (message !== null) context.addIssue({ code: 'custom', message })
      })
  )
}

/** Text of several lines, stored as typed but for line ends and trailing blank lines. */
export const body = (limit: TextLimit, words: TextWords) => text(limit, 'body', cleanBody, words)
/** The same without the spaces around it, which would only pass for length; not for posts, whose leading spaces draw. */
export const trimmedBody = (limit: TextLimit, words: TextWords) =>
  text(limit, 'body', (value) => cleanBody(value).trim(), words)
/** Text of one line. */
export const line = (limit: TextLimit, words: TextWords) => text(limit, 'line', cleanLine, words)
/** A free name of one line: ◆ and ★ become ◇ and ☆. */
export const freeName = (limit: TextLimit, words: TextWords) => text(limit, 'line', cleanName, words)

/** Why somebody who runs the board does something. */
export const reasonText = line(MODERATION_REASON, reasonWords)
/** A remark of theirs; may be empty. */
export const noteText = line(MODERATION_NOTE, reasonWords)

/** Who may make a call, beside everybody: those who are logged in, moderators (of any part of the board), or administrators. */
export type Access = 'member' | 'moderator' | 'admin'

/** A call of the API as a route: spread it into the server's `route()` and add a handler. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  /** `access`: others get 401 (no session) or 403 (no right) before anything is read. Without it everybody may call. */
  readonly config?: { readonly access: Access }
  readonly schema: {
    readonly summary: string
    readonly tags: readonly string[]
    readonly description?: string
    readonly params?: z.ZodType
    readonly querystring?: z.ZodType
    readonly body?: z.ZodType
    readonly consumes?: readonly string[]
    readonly response: Record<number | string, z.ZodType>
  }
}

/** Spread into calls that need a session, into those of moderators (administrators are such, too), and of administrators alone. */
export const forMembers = { config: { access: 'member' } } as const
export const forModerators = { config: { access: 'moderator' } } as const
export const forAdmins = { config: { access: 'admin' } } as const

/** The answers of a call: what a success carries, and the error answer for everything else. */
export const answers = <T extends z.ZodType>(success: T) => ({ 200: success, '4xx': errorAnswer, '5xx': errorAnswer })
export const created = <T extends z.ZodType>(success: T) => ({ 201: success, '4xx': errorAnswer, '5xx': errorAnswer })
