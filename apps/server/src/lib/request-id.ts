/** What a request, or a socket's event that failed, is called in the log, in `x-request-id`, and by the visitor who asks about it. */
import { randomUUID } from 'node:crypto'
import { messages } from '@shinobi/contract/messages'
import { ApiError } from './api-error.ts'

/** Short enough to be read out, long enough to be the only one among a month's failures. */
export const makeRequestId = (): string => randomUUID().slice(-12)

/** Whether an id that a proxy sends is one: it is written into the log and answered as it came. */
export const isRequestId = (text: unknown): text is string => typeof text === 'string' && /^[\w-]{8,64}$/.test(text)

/** What is told of a failure that nobody foresaw: nothing but the number under which the log tells more. */
export const unexpected = (id: string): ApiError =>
  new ApiError('unexpected', `${messages.unexpected}（受付番号 ${id}）`)
