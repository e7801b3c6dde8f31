import { SPAM_ADDRESS_FACTOR } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Config } from '../config.ts'
import { ApiError } from '../lib/api-error.ts'
import { createKeyLimit, tooMany, type KeyLimit, type KeyLimitOptions } from '../lib/key-limit.ts'
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
  /** Changes of a member's name in a day, by the member's id: readers know each other by names. */
  readonly nameChanges: KeyLimit
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
      refusal: tooMany('uploads_limited'),
    }),
    nicknameChecks: createLimit({
      points: 60,
      seconds: 60,
      refusal: tooMany('too_many_requests'),
    }),
    likes: createLimit({
      points: 120,
      seconds: 60,
      refusal: tooMany('likes_limited'),
    }),
    reports: createLimit({
      points: 20,
      seconds: 600,
      refusal: tooMany('reports_limited'),
    }),
    nameChanges: createKeyLimit({
      points: 5,
      seconds: 86_400,
      refusal: tooMany('name_changed_too_often'),
    }),
  }
}

function createLimit({ points, seconds, refusal }: KeyLimitOptions): VisitorLimit {
  const byVisitor = createKeyLimit({ points, seconds, refusal })
  const byAddress = createKeyLimit({ points: points * SPAM_ADDRESS_FACTOR, seconds, refusal })
  return {
    async take(visitor) {
      // The address first: each request without a cookie is a new visitor, and none of those shall fill the memory.
      await byAddress.take(visitor.addressHash)
      try {
        await byVisitor.take(actorId(visitor))
      } catch (error) {
        await byAddress.giveBack(visitor.addressHash)
        throw error
      }
    },
    async giveBack(visitor) {
      await byVisitor.giveBack(actorId(visitor))
      await byAddress.giveBack(visitor.addressHash)
    },
  }
}
