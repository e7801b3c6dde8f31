/**
 * The id of a request, or of a failed socket event: in the log, in `x-request-id`, and for visitors
 * to quote.
 */
import { randomUUID } from 'node:crypto'
import { messages } from '@shinobi/contract/messages'
import { ApiError } from './api-error.ts'

/** Short enough to be read aloud, long enough to be unique among a month's failures. */
export const makeRequestId = (): string => randomUUID().slice(-12)

/** Whether an id from a proxy is valid: it is logged and answered unchanged. */
export const isRequestId = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{8,64}$/.test(text)

/**
 * The refusal for an unexpected failure: it contains only the id under which the log has details.
 */
export const unexpected = (id: string): ApiError =>
  new ApiError('unexpected', `${messages.unexpected}（受付番号 ${id}）`)
