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

/** PostgreSQL's, the system's and the driver's words for a connection that broke, or never came about. */
const LOST_CODE = /^(08|57P0|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
const LOST_MESSAGE =
  /driver has already been destroyed|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/

/**
 * Too many connections, out of memory or file descriptors, read-only after a failover, cancelled for taking too long, deadlock,
 * serialisation.
 */
const BUSY_CODE = /^(53300|53200|53000|25006|57014|40001|40P01|EMFILE|ENFILE)$/

/** True when the connection broke: whether what was under way is stored, nobody knows. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown }
  return (
    // A unix socket that is not there (ENOENT) or not let in (EACCES), among others.
    syscall === 'connect' ||
    (typeof code === 'string' && LOST_CODE.test(code)) ||
    (typeof message === 'string' && LOST_MESSAGE.test(message))
  )
}

/** True for errors that say the database is away, overloaded or restarting rather than that a statement is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return isConnectionLost(error) || (typeof code === 'string' && BUSY_CODE.test(code))
}

/** True for our own word for it, such as the storage of pictures being away. */
export const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable'

/** True for a violated unique constraint. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/** True for a row that names another one which is not there, or is gone. */
export const isForeignKeyViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23503'

/** Our disk, or PostgreSQL's (53100). */
export const isDiskFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|53100)$/.test(String((error as { code?: unknown }).code))

/** Our disk, or PostgreSQL's, fails, or has turned read-only. PostgreSQL says 42501 for EROFS, EPERM and EACCES alike. */
export const isDiskFailing = (error: unknown): boolean =>
  /^(EROFS|EIO|EPERM|EACCES|42501|58030)$/.test(String((error as { code?: unknown }).code))

/**
 * True for errors that pass without a change of the statement: the database is away or overloaded,
 * a disk is full or fails, or the storage of pictures is away.
 */
export const isPassing = (error: unknown): boolean =>
  isDatabaseAway(error) || isDiskFull(error) || isDiskFailing(error) || isUnavailable(error)

/**
 * What to tell about any error: refusals as they are, a database that is away or a disk that fails as 503,
 * a full disk as 507, all else as 500 without details.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isDatabaseAway(error) || isDiskFailing(error)) return new ApiError('unavailable', messages.unavailable, 5)
  if (isDiskFull(error)) return refuse('disk_full', 'disk_full')
  return refuse('unexpected', 'unexpected')
}
