import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { SPAM_ADDRESS_FACTOR } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Config } from '../config.ts'
import { ApiError } from '../lib/api-error.ts'
import { actorId, type Visitor } from './visitor.ts'

/** A limit on what a visitor may do; each counts by account or cookie, and by address with a higher ceiling. */
export interface VisitorLimit {
  /** Counts one. @throws ApiError 429 with the time to wait */
  take(visitor: Visitor): Promise<void>
  /** Takes a count back: what was refused for another reason costs nothing. */
  giveBack(visitor: Visitor): Promise<void>
}

export interface Limits {
  /** 50 posts in 15 minutes (SPEC §5). */
  readonly posts: VisitorLimit
  /** Images an hour: decoding them is the dearest thing a visitor can ask for. */
  readonly uploads: VisitorLimit
  /** Nickname checks: a person needs a few, a name thief thousands. */
  readonly nicknameChecks: VisitorLimit
  /** Likes and their taking back: nobody reads two posts a second for a minute. */
  readonly likes: VisitorLimit
  /** Reports: enough for a whole raid by a careful reader, too few to bury the moderators. */
  readonly reports: VisitorLimit
}

interface LimitOptions {
  readonly points: number
  readonly seconds: number
  readonly refusal: (retryAfter: number) => ApiError
}

export function createLimits(config: Config): Limits {
  return {
    posts: createLimit({
      points: config.spamPosts,
      seconds: config.spamWindowMinutes * 60,
      refusal: (wait) => new ApiError('spam', messages.spam(Math.max(1, Math.ceil(wait / 60))), wait),
    }),
    uploads: createLimit({
      points: config.uploadsPerHour,
      seconds: 3_600,
      refusal: (wait) => new ApiError('too_many_requests', messages.uploads_limited, wait),
    }),
    nicknameChecks: createLimit({
      points: 60,
      seconds: 60,
      refusal: (wait) => new ApiError('too_many_requests', messages.too_many_requests, wait),
    }),
    likes: createLimit({
      points: 120,
      seconds: 60,
      refusal: (wait) => new ApiError('too_many_requests', messages.likes_limited, wait),
    }),
    reports: createLimit({
      points: 20,
      seconds: 600,
      refusal: (wait) => new ApiError('too_many_requests', messages.reports_limited, wait),
    }),
  }
}

function createLimit({ points, seconds, refusal }: LimitOptions): VisitorLimit {
  const byVisitor = new RateLimiterMemory({ points, duration: seconds })
  const byAddress = new RateLimiterMemory({ points: points * SPAM_ADDRESS_FACTOR, duration: seconds })
  const consume = async (limiter: RateLimiterMemory, key: string): Promise<void> => {
    try {
      await limiter.consume(key)
    } catch (error) {
      if (error instanceof RateLimiterRes) {
        // A refused try must not lengthen the wait or fill the counter.
        await limiter.reward(key)
        throw refusal(Math.max(1, Math.ceil(error.msBeforeNext / 1_000)))
      }
      throw error
    }
  }
  return {
    async take(visitor) {
      await consume(byVisitor, actorId(visitor))
      try {
        await consume(byAddress, visitor.addressHash)
      } catch (error) {
        await byVisitor.reward(actorId(visitor))
        throw error
      }
    },
    async giveBack(visitor) {
      await byVisitor.reward(actorId(visitor))
      await byAddress.reward(visitor.addressHash)
    },
  }
}
