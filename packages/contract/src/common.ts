/** Schemas that several features share. */
import { z } from 'zod'
import { findComplaint, reasonWords, type TextWords } from './complaints.ts'
import { errorAnswer, type ErrorCode } from './errors.ts'
import { PAGE_SIZE, PAGE_SIZE_MAX, type TextLimit } from './limits.ts'
import { MODERATION_NOTE, MODERATION_REASON } from './staff-limits.ts'
import { messages } from './messages.ts'
import type { Action } from './permissions.ts'
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

/** The answer of a call that returns no data. */
export const done = z.object({})
/** The answer of an action that can be undone: the id of its log entry. */
export const logged = z.object({ actionId: id })

/** In a query string about a post that is named by its id. */
export const ofThread = {
  threadId: id.optional().describe('its thread; without it, a cluster asks all of its workers for the post'),
}

/**
 * A whole number, in a query string in the one way it is written: each address is an entry in the
 * cache.
 */
export const wholeNumber = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^(0|[1-9]\d*)$/.test(value) ? Number(value) : value),
    z.number().int().min(min).max(max),
  )

/**
 * Position and size of a page of a keyset-paged list; the next page's address comes in the `Link`
 * header.
 */
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
      // Refuse overlong text before cleaning it, so that cleaning is never given megabytes.
      .max(2 * limit.maxBytes + 64, { error: words.too_long, abort: true })
      .overwrite(clean)
      .superRefine((value, context) => {
        const message = findComplaint(value, limit, kind, words)
        if (message !== null) context.addIssue({ code: 'custom', message })
      })
  )
}

/** Text of several lines. It is stored as typed, except for line ends and trailing blank lines. */
export const body = (limit: TextLimit, words: TextWords) => text(limit, 'body', cleanBody, words)
/**
 * Like `body`, but without surrounding spaces, which would count towards the minimum length. Not
 * for posts: Shift_JIS art depends on leading spaces.
 */
export const trimmedBody = (limit: TextLimit, words: TextWords) =>
  text(limit, 'body', (value) => cleanBody(value).trim(), words)
/** Text of one line. */
export const line = (limit: TextLimit, words: TextWords) => text(limit, 'line', cleanLine, words)
/** A name of one line that anybody may choose: ◆ and ★ become ◇ and ☆. */
export const freeName = (limit: TextLimit, words: TextWords) => text(limit, 'line', cleanName, words)

/** The reason that a moderator or administrator gives for an action. */
export const reasonText = line(MODERATION_REASON, reasonWords)
/** A moderator's note; may be empty. */
export const noteText = line(MODERATION_NOTE, reasonWords)

/** A call of the API as a route. Spread it into the server's `route()` and add a handler. */
export interface Call {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly url: string
  /**
   * What the call does. Who may not do it gets 401 (no session) or 403 before the body is read.
   * Without `action` everybody may call.
   */
  readonly config?: { readonly action: Action }
  readonly schema: {
    readonly summary: string
    readonly tags: readonly string[]
    readonly description?: string
    readonly params?: z.ZodType
    readonly querystring?: z.ZodType
    readonly body?: z.ZodType
    readonly consumes?: readonly string[]
    /** Codes of refused fields, where the name of a field alone would name another thing. */
    readonly codes?: Readonly<Record<string, ErrorCode>>
    /** For the documentation, of a body that the handler parses: text fields and a file part. */
    readonly form?: { readonly fields: z.ZodType; readonly file: string }
    /** Media types of the answer when the call succeeds; JSON when not given. */
    readonly produces?: readonly string[]
    readonly response: Record<number | string, z.ZodType>
  }
}

/**
 * What a call answers when it succeeds. For the browser, which imports the calls as types only
 * (`import type * as calls`).
 */
export type AnswerOf<T extends Call> = z.infer<
  T['schema']['response'][Exclude<keyof T['schema']['response'], '4xx' | '5xx'>]
>

/** Spread into a call that is not for everybody. */
export const requires = <A extends Action>(action: A) => ({ config: { action } }) as const

/** The answers of a call: the given schema for a success, the error answer for everything else. */
export const answers = <T extends z.ZodType>(success: T) => ({ 200: success, '4xx': errorAnswer, '5xx': errorAnswer })
export const created = <T extends z.ZodType>(success: T) => ({ 201: success, '4xx': errorAnswer, '5xx': errorAnswer })
