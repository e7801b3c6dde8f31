import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { messages, type MessageKey } from '@shinobi/contract/messages'
import { ApiError } from './api-error.ts'

/**
 * A rate limit by key: a number of points per window. The counters are in memory, so a restart
 * resets them, or in Redis, where all servers share them.
 */
export interface KeyLimit {
  /** Consumes one point, or several. @throws ApiError the limit's refusal, with the time to wait */
  take(key: string, count?: number): Promise<void>
  /** Counts nothing. @throws ApiError the limit's refusal when no point is left */
  require(key: string): Promise<void>
  /** Returns points: what was refused for another reason costs nothing. */
  giveBack(key: string, count?: number): Promise<void>
  /** Resets the counter of a key. */
  forget(key: string): Promise<void>
}

/** A limit with one of its keys. */
export type Counter = readonly [limit: KeyLimit, key: string]

/**
 * Consumes points of several limits, or none. The widest comes first: what it refuses must not take
 * up memory for keys of the narrower ones.
 * @throws ApiError the refusal of the first that has no point left
 */
export async function takeAll(counters: Iterable<Counter>, count?: number): Promise<void> {
  const taken: Counter[] = []
  try {
    for (const counter of counters) {
      const [limit, key] = counter
      await limit.take(key, count)
      taken.push(counter)
    }
  } catch (error) {
    await giveBackAll(taken, count)
    throw error
  }
}

export async function giveBackAll(counters: Iterable<Counter>, count?: number): Promise<void> {
  for (const [limit, key] of counters) await limit.giveBack(key, count)
}

export interface KeyLimitOptions {
  /** Distinguishes its counters from those of other limits. */
  readonly name: string
  /** A function is called for each attempt, so that a changed setting applies at once. */
  readonly points: number | (() => number)
  readonly seconds: number | (() => number)
  /** @param wait seconds until the window ends, at least 1 */
  readonly refusal: (wait: number) => ApiError
}

/** Creates limits. */
export type KeyLimits = (options: KeyLimitOptions) => KeyLimit

/** A refusal whose message does not contain the wait, which is in Retry-After. */
export const tooMany =
  (key: MessageKey) =>
  (wait: number): ApiError =>
    new ApiError('too_many_requests', messages[key], wait)

/** Counters shared by several servers. */
export interface SharedCounts {
  readonly redis: Redis
  /** Prefix of all keys. */
  readonly prefix: string
  /** Hashes a key: addresses and mail addresses stay on the server. */
  hide(key: string): string
  isThere(): boolean
}

/** @param shared null: this server counts alone, as it does while Redis is away */
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
    const hide = (key: string): string => shared?.hide(key) ?? key
    /** While Redis is known to be silent, no request waits for it. */
    const limiter = () => (shared?.isThere() === false ? memory : together)
    const refuse = ({ msBeforeNext }: RateLimiterRes) => refusal(Math.max(1, Math.ceil(msBeforeNext / 1_000)))
    return {
      async require(key) {
        const counted = await limiter().get(hide(key))
        if (counted !== null && counted.msBeforeNext > 0 && counted.consumedPoints >= now(points)) throw refuse(counted)
      },
      async take(named, count = 1) {
        const key = hide(named)
        together.points = memory.points = now(points)
        together.duration = memory.duration = now(seconds)
        try {
          await limiter().consume(key, count)
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error
          // A refused attempt must neither lengthen the wait nor add to the counter.
          await limiter().reward(key, count)
          throw refuse(error)
        }
      },
      async giveBack(named, count = 1) {
        const key = hide(named)
        // The next window must not inherit points of the last one.
        const counted = await limiter().get(key)
        if (counted === null || counted.msBeforeNext <= 0) return
        const given = Math.min(count, counted.consumedPoints)
        // A counter at zero is deleted, because the number of keys is unlimited.
        if (given > 0 && given >= counted.consumedPoints) await limiter().delete(key)
        else if (given > 0) await limiter().reward(key, given)
      },
      async forget(key) {
        await limiter().delete(hide(key))
      },
    }
  }
}
