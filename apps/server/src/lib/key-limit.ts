import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { messages, type MessageKey } from '@shinobi/contract/messages'
import { ApiError } from './api-error.ts'

/** So many within a window, counted by a key: in memory, so that a restart forgets; or in Redis, where all servers count together. */
export interface KeyLimit {
  /** Counts one, or so many at once. @throws ApiError the limit's refusal, with the time to wait */
  take(key: string, count?: number): Promise<void>
  /** Takes a count back: what was refused for another reason costs nothing. */
  giveBack(key: string, count?: number): Promise<void>
  /** Forgets what was counted. */
  forget(key: string): Promise<void>
}

export interface KeyLimitOptions {
  /** Tells its counts from those of other limits. */
  readonly name: string
  /** A function is asked at each try, so that a changed setting counts at once. */
  readonly points: number | (() => number)
  readonly seconds: number | (() => number)
  /** @param wait seconds until the window ends, at least 1 */
  readonly refusal: (wait: number) => ApiError
}

/** Makes limits. */
export type KeyLimits = (options: KeyLimitOptions) => KeyLimit

/** A refusal whose words do not name the wait: it travels as Retry-After. */
export const tooMany =
  (key: MessageKey) =>
  (wait: number): ApiError =>
    new ApiError('too_many_requests', messages[key], wait)

/** Where several servers count together. */
export interface SharedCounts {
  readonly redis: Redis
  /** Begins all keys. */
  readonly prefix: string
  isThere(): boolean
}

/** @param shared null: this server counts by itself, as it does while Redis is away */
export function createKeyLimits(shared: SharedCounts | null): KeyLimits {
  return ({ name, points, seconds, refusal }) => {
    const now = (value: number | (() => number)): number => (typeof value === 'number' ? value : value())
    const memory = new RateLimiterMemory({ points: now(points), duration: now(seconds) })
    const together =
      shared === null
        ? memory
        : new RateLimiterRedis({
            storeClient: shared.redis,
            keyPrefix: `${shared.prefix}${name}`,
            points: now(points),
            duration: now(seconds),
            rejectIfRedisNotReady: true,
            insuranceLimiter: memory,
          })
    /** Nobody waits for a Redis that is known to be silent. */
    const limiter = () => (shared?.isThere() === false ? memory : together)
    return {
      async take(key, count = 1) {
        together.points = memory.points = now(points)
        together.duration = memory.duration = now(seconds)
        try {
          await limiter().consume(key, count)
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error
          // A refused try must not lengthen the wait or fill the counter.
          await limiter().reward(key, count)
          throw refusal(Math.max(1, Math.ceil(error.msBeforeNext / 1_000)))
        }
      },
      async giveBack(key, count = 1) {
        // What was taken in a window that has ended since is no gift to the next one.
        const counted = await limiter().get(key)
        if (counted === null || counted.msBeforeNext <= 0) return
        const given = Math.min(count, counted.consumedPoints)
        // One that is back at nothing needs no memory: there is no end of keys.
        if (given > 0 && given >= counted.consumedPoints) await limiter().delete(key)
        else if (given > 0) await limiter().reward(key, given)
      },
      async forget(key) {
        await limiter().delete(key)
      },
    }
  }
}
