/**
 * The error answer of every call and socket event: `{message, code}`. Programs rely on `code`,
 * which is stable; people read `message`, which is Japanese (`messages.ts`).
 */
import { z } from 'zod'

/** Codes with their HTTP status. Sockets send the code alone. */
export const errorStatus = {
  bad_request: 400,
  bad_id: 400,
  bad_cursor: 400,
  bad_title: 400,
  bad_content: 400,
  bad_nickname: 400,
  bad_image: 400,
  bad_search: 400,
  bad_category: 400,
  bad_reason: 400,
  bad_username: 400,
  bad_email: 400,
  bad_password: 400,
  bad_token: 400,
  bad_code: 400,
  bad_proof: 400,
  bad_word: 400,
  bad_source: 400,
  banned_word: 400,
  unauthorized: 401,
  bad_credentials: 401,
  forbidden: 403,
  bad_origin: 403,
  banned: 403,
  silenced: 403,
  code_required: 403,
  second_factor_missing: 403,
  not_found: 404,
  too_slow: 408,
  taken: 409,
  has_threads: 409,
  has_next: 409,
  thread_full: 409,
  full: 409,
  last_admin: 409,
  has_answers: 409,
  already_done: 409,
  too_late: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  locked: 423,
  proof_required: 428,
  too_many_requests: 429,
  spam: 429,
  headers_too_large: 431,
  unexpected: 500,
  unavailable: 503,
  read_only: 503,
  disk_full: 507,
} as const

export type ErrorCode = keyof typeof errorStatus

export const errorAnswer = z
  .object({
    message: z.string().describe('Japanese, for people'),
    code: z.enum(Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]]).describe('stable, for programs'),
  })
  .describe('What every failed call answers, with a fitting HTTP status')

export type ErrorAnswer = z.infer<typeof errorAnswer>
