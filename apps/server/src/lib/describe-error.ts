/** An error in a form that may be logged. */
export interface ErrorDescription {
  [key: string]: unknown
  type: string
  message: string
  stack: string
}

/**
 * Describes an error by its place and cause. Database errors contain the statement's values (texts,
 * ids of visitors) in other fields and in `detail`, which must not be logged.
 */
export function describeError(error: unknown): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: '' }
  const { code } = error as { code?: unknown }
  return {
    type: error.name,
    message: error.message,
    stack: error.stack ?? '',
    ...(code === undefined ? {} : { code }),
    ...(error.cause === undefined ? {} : { cause: describeError(error.cause) }),
  }
}
