import { messages } from '@shinobi/contract/messages'
import { ApiError } from './api-error.ts'

export interface FairSemaphoreOptions {
  /** Maximum number of calls that run at a time. */
  readonly places: number
  /**
   * Maximum number of waiting calls; later ones are refused at once rather than served too late. A
   * few senders cannot use it up: the newest call of the one with most gives way to a sender with
   * fewer.
   */
  readonly waitingMax?: number
  /** Maximum number of waiting calls of one sender. */
  readonly waitingMaxOfOne?: number
  /** Maximum number of running calls of one sender, however many places are free. */
  readonly placesOfOne?: number
}

/**
 * Calls `work` when there is a place for it.
 * @param asker the sender; senders are served round-robin, so that another one's call waits for one
 * call of a busy sender, not for all
 * @throws ApiError unavailable when the queue is full, or when it was and this call gave way;
 * too_many_requests when the sender's part of it is full; `work` was not called then
 */
export interface FairSemaphore {
  <T>(work: () => Promise<T>, asker?: string): Promise<T>
  /**
   * Whether a sender has more than its share of the places: another one waits that would still
   * have fewer with one more.
   */
  holdsTooMany(asker: string): boolean
}

/** Seconds in Retry-After of a full queue. */
export const RETRY_AFTER_S = 5

/** Creates a semaphore with a fair queue. */
export function createFairSemaphore({
  places,
  placesOfOne = places,
  waitingMax = Infinity,
  waitingMaxOfOne = Infinity,
}: FairSemaphoreOptions): FairSemaphore {
  /** Waiting calls by sender, oldest first; the sender to be served next is the first entry. */
  const queues = new Map<string, PromiseWithResolvers<void>[]>()
  const running = new Map<string, number>()
  let waiting = 0
  let free = places

  const placesOf = (asker: string): number => running.get(asker) ?? 0

  const mayBegin = (asker: string): boolean => free > 0 && placesOf(asker) < placesOfOne

  function take(asker: string): void {
    free -= 1
    running.set(asker, placesOf(asker) + 1)
  }

  function leave(asker: string): void {
    free += 1
    const left = placesOf(asker) - 1
    if (left === 0) running.delete(asker)
    else running.set(asker, left)
  }

  function wait(asker: string): Promise<void> {
    const queue = queues.get(asker) ?? []
    if (queue.length >= waitingMaxOfOne) {
      throw new ApiError('too_many_requests', messages.too_many_requests, RETRY_AFTER_S)
    }
    if (waiting >= waitingMax) makeRoom(queue.length)
    waiting += 1
    queues.set(asker, queue)
    const call = Promise.withResolvers<void>()
    queue.push(call)
    return call.promise
  }

  /**
   * Drops the newest call of the sender with most. With two more than the newcomer has, that sender
   * keeps at least one, and as many as the newcomer gets: the two never drop each other in turn.
   */
  function makeRoom(waitingOfNewcomer: number): void {
    let longest: PromiseWithResolvers<void>[] = []
    for (const queue of queues.values()) if (queue.length > longest.length) longest = queue
    const refusal = new ApiError('unavailable', messages.unavailable, RETRY_AFTER_S)
    if (longest.length < waitingOfNewcomer + 2) throw refusal
    longest.pop()!.reject(refusal)
    waiting -= 1
  }

  function callNext(): void {
    const asker = queues.keys().find(mayBegin)
    if (asker === undefined) return
    const queue = queues.get(asker)!
    const call = queue.shift()!
    // Moves the sender to the end.
    queues.delete(asker)
    if (queue.length > 0) queues.set(asker, queue)
    waiting -= 1
    take(asker)
    call.resolve()
  }

  async function runInTurn<T>(work: () => Promise<T>, asker = ''): Promise<T> {
    if (mayBegin(asker)) take(asker)
    else await wait(asker)
    try {
      return await work()
    } finally {
      leave(asker)
      callNext()
    }
  }

  return Object.assign(runInTurn, {
    holdsTooMany: (asker: string) => queues.keys().some((other) => placesOf(other) + 1 < placesOf(asker)),
  })
}
