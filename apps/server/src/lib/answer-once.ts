import { ApiError, isUniqueViolation } from './api-error.ts'

/** A request with an id of the client, which repeats it when no answer comes. */
export interface Sending<T> {
  /** Finds the earlier result, or undefined. */
  readonly find: () => Promise<T | undefined>
  /** Whether the work is expensive or must not happen twice: a picture to decode, a decision. */
  readonly askFirst: boolean
}

/**
 * Processes a sending once: a repetition gets the result of the first one. The look-up costs a
 * query. It comes before the work where the work is expensive (`askFirst`), else after the work
 * failed, so that a post sent for the first time is not looked up.
 * @param work throws when its result exists already, as when it is refused: the first sending may
 * have succeeded and its answer been lost
 * @throws whatever `work` and `find` throw
 */
export async function answerOnce<T>({ find, askFirst }: Sending<T>, work: () => Promise<T>): Promise<T> {
  const before = askFirst ? await find() : undefined
  if (before !== undefined) return before
  try {
    return await work()
  } catch (error) {
    const sent = error instanceof ApiError || isUniqueViolation(error) ? await find() : undefined
    if (sent === undefined) throw error
    return sent
  }
}
