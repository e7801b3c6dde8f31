import { errorStatus, type ErrorAnswer, type ErrorCode } from '@shinobi/contract/errors'
import { messages, type MessageKey } from '@shinobi/contract/messages'

/** A refusal with its Japanese message, thrown by rules and sent over HTTP and sockets. */
export class ApiError extends Error {
  readonly code: ErrorCode
  /** Seconds until a retry can succeed. */
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
export const refuse = (code: ErrorCode, key: MessageKey, retryAfter: number | null = null): ApiError =>
  new ApiError(code, messages[key], retryAfter)

/**
 * Error codes of PostgreSQL, the system and the driver for a connection that broke or failed to
 * open.
 */
const LOST_CODE = /^(08|57P0|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)/
const LOST_MESSAGE =
  /driver has already been destroyed|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/

/**
 * What Citus reports under XX000, the code of all internal errors, while a worker or the
 * coordinator stops, fails or is replaced. The last line is libpq on the coordinator, whose
 * connection to a worker broke.
 */
const LOST_ON_CLUSTER = new RegExp(
  [
    'postmaster was shut down',
    'failure on connection marked as essential',
    'could not connect to any active placements',
    'unable to recover from inconsistent state in the connection state machine',
    'node group \\d+ does not have a primary node',
    'there is a shard placement in node group \\d+ but there are no nodes in that group',
    'server closed the connection unexpectedly|could not (receive data from|send data to) server|no connection to the server',
  ].join('|'),
)

/**
 * Too many connections, out of memory or file descriptors, read-only after a failover, statement
 * time-out, deadlock, serialisation failure.
 */
const BUSY_CODE = /^(53300|53200|53000|25006|57014|40001|40P01|EMFILE|ENFILE)$/

/**
 * The refusal of a statement that needs a worker of the cluster which does not answer
 * (db/workers.ts).
 */
export class WorkerAwayError extends Error {
  constructor() {
    super('a worker of the cluster does not answer')
  }
}

/** Whether the connection broke. Then it is unknown whether the statement was committed. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message, syscall } = error as { code?: unknown; message?: unknown; syscall?: unknown }
  return (
    // Includes a unix socket that is missing (ENOENT) or not accessible (EACCES).
    syscall === 'connect' ||
    (typeof code === 'string' && LOST_CODE.test(code)) ||
    (typeof message === 'string' && (LOST_MESSAGE.test(message) || (code === 'XX000' && LOST_ON_CLUSTER.test(message))))
  )
}

/** Whether the database is away, overloaded or restarting, as opposed to a wrong statement. */
export function isDatabaseAway(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return (
    isConnectionLost(error) || error instanceof WorkerAwayError || (typeof code === 'string' && BUSY_CODE.test(code))
  )
}

/** Whether it is our own refusal of this kind, such as for an unreachable picture storage. */
export const isUnavailable = (error: unknown): boolean => error instanceof ApiError && error.code === 'unavailable'

/** Whether a unique constraint was violated. */
export const isUniqueViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23505'

/** Whether a foreign key was violated: the referenced row does not exist any more. */
export const isForeignKeyViolation = (error: unknown): boolean => (error as { code?: unknown }).code === '23503'

/** The server's disk is full, or PostgreSQL's (53100). */
export const isDiskFull = (error: unknown): boolean =>
  /^(ENOSPC|EDQUOT|53100)$/.test(String((error as { code?: unknown }).code))

/**
 * The server's disk, or PostgreSQL's, fails or has turned read-only. PostgreSQL reports 42501 for
 * EROFS, EPERM and EACCES alike.
 */
export const isDiskFailing = (error: unknown): boolean =>
  /^(EROFS|EIO|EPERM|EACCES|42501|58030)$/.test(String((error as { code?: unknown }).code))

/**
 * Whether the same statement may succeed later: the database is away or overloaded, a disk is full
 * or fails, or the storage of pictures is away.
 */
export const isPassing = (error: unknown): boolean =>
  isDatabaseAway(error) || isDiskFull(error) || isDiskFailing(error) || isUnavailable(error)

/**
 * Converts any error to a refusal: refusals as they are, an unreachable database or a failing disk
 * as 503, a full disk as 507, all others as 500 without details.
 */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (isDatabaseAway(error) || isDiskFailing(error)) return new ApiError('unavailable', messages.unavailable, 5)
  if (isDiskFull(error)) return refuse('disk_full', 'disk_full')
  return refuse('unexpected', 'unexpected')
}
