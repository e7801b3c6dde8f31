import { HELD_WAITING_MAX, SPAM_ADDRESS_FACTOR, SPAM_NETWORK_FACTOR } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { BoardSettings } from '@shinobi/contract/settings'
import { ApiError } from '../lib/api-error.ts'
import { tooMany, type KeyLimit, type KeyLimitOptions, type KeyLimits } from '../lib/key-limit.ts'
import { actorId, addressPrefix, type Visitor } from './visitor.ts'

/**
 * A limit on what a visitor may do; each counts by account or cookie, by address with a higher ceiling, and by IPv6 /48 with one that is
 * higher still, as it holds 65,536 of what counts as an address.
 */
export interface VisitorLimit {
  /** Counts one, or so many at once. @throws ApiError 429 with the time to wait */
  take(visitor: Visitor, count?: number): Promise<void>
  /** Takes a count back: what was refused for another reason costs nothing. */
  giveBack(visitor: Visitor, count?: number): Promise<void>
}

export interface Limits {
  /** By default the 50th post within 15 minutes is one too many. */
  readonly posts: VisitorLimit
  /** Images an hour: decoding them is the dearest thing a visitor can ask for. */
  readonly uploads: VisitorLimit
  /**
   * Kilobytes of pictures a day, as they are stored: what visitors can fill a disk with.
   */
  readonly imageKilobytes: VisitorLimit
  /** Nickname checks: a person needs a few, a name thief thousands. */
  readonly nicknameChecks: VisitorLimit
  /** Likes and their taking back: nobody reads two posts a second for a minute. */
  readonly likes: VisitorLimit
  /** Reports: enough for a whole raid by a careful reader, too few to bury the moderators. */
  readonly reports: VisitorLimit
  /** Proofs of work asked for: a browser needs one a day, and making a task costs us a thousandth of a second. */
  readonly proofs: VisitorLimit
  /** What is held of an address in an hour, by its hash: what waits is counted by account and cookie, and cookies cost nothing. */
  readonly held: KeyLimit
  /** Changes of a member's name in a day, by the member's id: readers know each other by names. */
  readonly nameChanges: KeyLimit
}

/**
 * @param settings as they stand now: a change counts from the next try on
 * @param imagesMbPerDay of one visitor
 */
export function createLimits(
  settings: { readonly current: BoardSettings },
  keyLimit: KeyLimits,
  imagesMbPerDay: number,
): Limits {
  const createLimit = createVisitorLimits(keyLimit)
  return {
    posts: createLimit({
      name: 'posts',
      points: () => settings.current.spamPosts - 1,
      pointsOfIPv4: () => Math.max(settings.current.spamPostsPerAddress, settings.current.spamPosts - 1),
      seconds: () => settings.current.spamWindowMinutes * 60,
      refusal: (wait) => new ApiError('spam', messages.spam(Math.max(1, Math.ceil(wait / 60))), wait),
    }),
    uploads: createLimit({
      name: 'uploads',
      points: () => settings.current.uploadsPerHour,
      seconds: 3_600,
      refusal: tooMany('uploads_limited'),
    }),
    imageKilobytes: createLimit({
      name: 'imageKilobytes',
      points: imagesMbPerDay * 1_000,
      seconds: 86_400,
      refusal: tooMany('image_bytes_limited'),
    }),
    nicknameChecks: createLimit({
      name: 'nicknameChecks',
      points: 60,
      seconds: 60,
      refusal: tooMany('too_many_requests'),
    }),
    likes: createLimit({
      name: 'likes',
      points: 120,
      seconds: 60,
      refusal: tooMany('likes_limited'),
    }),
    reports: createLimit({
      name: 'reports',
      points: 20,
      seconds: 600,
      refusal: tooMany('reports_limited'),
    }),
    proofs: createLimit({
      name: 'proofs',
      points: 30,
      seconds: 600,
      refusal: tooMany('too_many_requests'),
    }),
    held: keyLimit({
      name: 'held',
      points: SPAM_ADDRESS_FACTOR * HELD_WAITING_MAX,
      seconds: 3_600,
      refusal: tooMany('held_full'),
    }),
    nameChanges: keyLimit({
      name: 'nameChanges',
      points: 5,
      seconds: 86_400,
      refusal: tooMany('name_changed_too_often'),
    }),
  }
}

interface VisitorLimitOptions extends KeyLimitOptions {
  /** What an IPv4 address has, where carriers' NAT asks for more than the factor of an IPv6 /64. */
  readonly pointsOfIPv4?: () => number
}

const createVisitorLimits =
  (keyLimit: KeyLimits) =>
  ({ name, points, pointsOfIPv4, seconds, refusal }: VisitorLimitOptions): VisitorLimit => {
    const times = (factor: number) => () => factor * (typeof points === 'number' ? points : points())
    const byVisitor = keyLimit({ name: `${name}:visitor`, points, seconds, refusal })
    const byAddress = keyLimit({ name: `${name}:address`, points: times(SPAM_ADDRESS_FACTOR), seconds, refusal })
    const byIPv4 =
      pointsOfIPv4 === undefined
        ? byAddress
        : keyLimit({ name: `${name}:ipv4`, points: pointsOfIPv4, seconds, refusal })
    const byNetwork = keyLimit({ name: `${name}:network`, points: times(SPAM_NETWORK_FACTOR), seconds, refusal })
    /** The widest first: each request without a cookie is a new visitor, and none of those shall fill the memory. */
    function* countersOf(visitor: Visitor): Generator<readonly [KeyLimit, string]> {
      if (visitor.networkHash !== null) yield [byNetwork, visitor.networkHash]
      const isIPv6 = addressPrefix(visitor.origin.address).includes(':')
      yield [isIPv6 ? byAddress : byIPv4, visitor.addressHash]
      yield [byVisitor, actorId(visitor)]
    }
    return {
      async take(visitor, count) {
        const taken: (readonly [KeyLimit, string])[] = []
        try {
          for (const [limit, key] of countersOf(visitor)) {
            await limit.take(key, count)
            taken.push([limit, key])
          }
        } catch (error) {
          for (const [limit, key] of taken) await limit.giveBack(key, count)
          throw error
        }
      },
      async giveBack(visitor, count) {
        for (const [limit, key] of countersOf(visitor)) await limit.giveBack(key, count)
      },
    }
  }
