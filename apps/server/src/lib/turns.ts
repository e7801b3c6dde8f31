import { ApiError } from './api-error.ts'
import { messages } from '@shinobi/contract/messages'

/** Seconds after which whoever found the queue full may try again. */
const COME_BACK_S = 5

/**
 * Lets so many works run at a time; the others wait in the order they came.
 * @param waitingMax works that may wait; whoever comes later is sent away at once rather than served too late
 * @throws ApiError unavailable when the queue is full
 */
export function createTurns(places: number, waitingMax = Infinity): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let free = places
  return async (work) => {
    if (free > 0) free -= 1
    else if (waiting.length >= waitingMax) throw new ApiError('unavailable', messages.unavailable, COME_BACK_S)
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free += 1
      else next()
    }
  }
}
