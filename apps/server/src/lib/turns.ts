import { messages } from '@shinobi/contract/messages'
import { ApiError } from './api-error.ts'

export interface TurnsOptions {
  /** Works that run at a time. */
  readonly places: number
  /** Works that may wait; whoever comes later is sent away at once rather than served too late. */
  readonly waitingMax?: number
  /** Works of one asker that may wait. */
  readonly waitingMaxOfOne?: number
  /** Works of one asker that run at a time, however many places are free. */
  readonly placesOfOne?: number
}

/**
 * Runs a work when its turn comes.
 * @param asker takes turns with the others: however much one asks for, another's work comes after one more of it, not after all
 * @throws ApiError unavailable when the queue is full, too_many_requests when the asker's part of it is
 */
export type Turns = <T>(work: () => Promise<T>, asker?: string) => Promise<T>

/** Seconds after which whoever found the queue full may try again. */
const COME_BACK_S = 5

/** Lets so many works run at a time; the others wait. */
export function createTurns({
  places,
  placesOfOne = places,
  waitingMax = Infinity,
  waitingMaxOfOne = Infinity,
}: TurnsOptions): Turns {
  /** What waits of each asker, oldest first; whoever is next stands first. */
  const queues = new Map<string, (() => void)[]>()
  const running = new Map<string, number>()
  let waiting = 0
  let free = places

  const mayBegin = (asker: string): boolean => free > 0 && (running.get(asker) ?? 0) < placesOfOne

  function take(asker: string): void {
    free -= 1
    running.set(asker, (running.get(asker) ?? 0) + 1)
  }

  function leave(asker: string): void {
    free += 1
    const left = running.get(asker)! - 1
    if (left === 0) running.delete(asker)
    else running.set(asker, left)
  }

  function wait(asker: string): Promise<void> {
    const queue = queues.get(asker) ?? []
    if (queue.length >= waitingMaxOfOne) {
      throw new ApiError('too_many_requests', messages.too_many_requests, COME_BACK_S)
    }
    if (waiting >= waitingMax) throw new ApiError('unavailable', messages.unavailable, COME_BACK_S)
    waiting += 1
    queues.set(asker, queue)
    return new Promise((resolve) => queue.push(resolve))
  }

  function callNext(): void {
    const asker = queues.keys().find(mayBegin)
    if (asker === undefined) return
    const queue = queues.get(asker)!
    const begin = queue.shift()!
    // Behind all others.
    queues.delete(asker)
    if (queue.length > 0) queues.set(asker, queue)
    waiting -= 1
    take(asker)
    begin()
  }

  return async (work, asker = '') => {
    if (mayBegin(asker)) take(asker)
    else await wait(asker)
    try {
      return await work()
    } finally {
      leave(asker)
      callNext()
    }
  }
}
