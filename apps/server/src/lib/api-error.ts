import { errorStatus, type ErrorAnswer, type ErrorCode } from '@shinobi/contract/errors'
import { messages, type MessageKey } from '@shinobi/contract/messages'

/** A refusal with its Japanese message: thrown by rules, answered by HTTP and socket alike. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Seconds after which another try makes sense. */
  readonly retryAfter: number | null

  constructor(code: ErrorCode, message: string, retryAfter: number | null = null) {
    super(message)
    this.code = code
    this.retryAfter = retryAfter
  }

  get status(): number {
    return errorStatus[this.code]
  }

  toAnswer(): ErrorAnswer {
    return { message: this.message, code: this.code }
  }
}

/** A refusal by the key of its message. */
export const refuse = (code: ErrorCode, key: MessageKey): ApiError => new ApiError(code, messages[key])

/** PostgreSQL's and the drivers' codes for "the database is not there right now". */
const AWAY = /^(08|57P0|53300|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|57014$|40001$|40P01$)/

/** True for errors that say the database is away, overloaded or restarting rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string' && AWAY.test(code)) return true
  return (
    typeof message === 'string' &&
    /PGlite (is closed|instance has been closed)|driver has already been destroyed|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/.test(
      message,
    )
  )
}

/** True for a violated unique constraint. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/** What to tell about any error: refusals as they are, a database that is away as 503, all else as 500 without details. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isDatabaseAway(error)) return new ApiError('unavailable', messages.unavailable, 5)
  if ((error as NodeJS.ErrnoException).code === 'ENOSPC') return refuse('disk_full', 'disk_full')
  return refuse('unexpected', 'unexpected')
}
