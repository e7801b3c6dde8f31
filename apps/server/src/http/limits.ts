import { HELD_WAITING_MAX, SPAM_ADDRESS_FACTOR, SPAM_NETWORK_FACTOR } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { OWNER_ACTIONS_PER_HOUR } from '@shinobi/contract/owner-limits'
import type { BoardSettings } from '@shinobi/contract/settings'
import { ApiError } from '../lib/api-error.ts'
import {
  giveBackAll,
  takeAll,
  tooMany,
  type Counter,
  type KeyLimit,
  type KeyLimitOptions,
  type KeyLimits,
} from '../lib/key-limit.ts'
import { createRefusedPictures, type RefusedPictures } from './refused-pictures.ts'
import { actorId, addressPrefix, type Visitor } from './visitor.ts'

/**
 * A rate limit for visitors. Each counts by account or cookie, by address with a higher limit, and
 * by IPv6 /48 with a still higher one, because a /48 contains 65,536 of the prefixes that count as
 * an address.
 */
export interface VisitorLimit {
  /** Consumes one point, or several. @throws ApiError 429 with the time to wait */
  take(visitor: Visitor, count?: number): Promise<void>
  /** Gives a point back: what was refused for another reason costs nothing. */
  giveBack(visitor: Visitor, count?: number): Promise<void>
}

export interface Limits {
  /** By default the 50th post within 15 minutes is refused. */
  readonly posts: VisitorLimit
  /** Images per hour: decoding one is the most expensive operation for a visitor. */
  readonly uploads: VisitorLimit
  /** Pictures that were refused because of their contents. */
  readonly refusedPictures: RefusedPictures
  /** Stored kilobytes of pictures per day, which could fill a disk. */
  readonly imageKilobytes: VisitorLimit
  /** Nickname checks: a person needs a few, somebody who collects names thousands. */
  readonly nicknameChecks: VisitorLimit
  /**
   * Strong keys of tripcodes that are computed, in names of posts and in checks. As expensive as
   * wrong log-ins, and as many for an address.
   */
  readonly strongKeys: VisitorLimit
  /** Likes and unlikes: nobody reads two posts a second for a minute. */
  readonly likes: VisitorLimit
  /** Reports: enough for a careful reader in a raid, too few to flood the moderators. */
  readonly reports: VisitorLimit
  /**
   * Challenges of the proof of work: a browser needs one a day, and making one takes a millisecond.
   */
  readonly proofs: VisitorLimit
  /**
   * Held posts per hour and address hash. Waiting posts are limited by account and cookie, but new
   * cookies cost nothing.
   */
  readonly held: KeyLimit
  /** The same by the hash of an IPv6 /48. */
  readonly heldOfNetwork: KeyLimit
  /** Phrases that move a level, made or typed: a person needs one or two, and mistypes some. */
  readonly phrases: VisitorLimit
  /** What the opener of a thread does in it, by the thread. */
  readonly ownerActions: KeyLimit
  /** Changes of the notebook, by the member's id: every device of a member sends a few a minute. */
  readonly notebooks: KeyLimit
  /** Name changes per day, by the member's id: readers know each other by names. */
  readonly nameChanges: KeyLimit
}

/**
 * @param settings current values: a change applies to the next attempt
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
    refusedPictures: createRefusedPictures(),
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
    strongKeys: createLimit({
      name: 'strongKeys',
      points: 25,
      seconds: 15 * 60,
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
    heldOfNetwork: keyLimit({
      name: 'held:network',
      points: SPAM_NETWORK_FACTOR * HELD_WAITING_MAX,
      seconds: 3_600,
      refusal: tooMany('held_full'),
    }),
    phrases: createLimit({
      name: 'phrases',
      points: 10,
      seconds: 3_600,
      refusal: tooMany('scrolls_limited'),
    }),
    ownerActions: keyLimit({
      name: 'ownerActions',
      points: OWNER_ACTIONS_PER_HOUR,
      seconds: 3_600,
      refusal: tooMany('owner_limited'),
    }),
    notebooks: keyLimit({
      name: 'notebooks',
      points: 60,
      seconds: 60,
      refusal: tooMany('too_many_requests'),
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
  /**
   * The limit of an IPv4 address, where carriers' NAT needs more than the factor of an IPv6 /64.
   */
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
    /** Each request without a cookie is a new visitor, so visitors are the narrowest. */
    function* countersOf(visitor: Visitor): Generator<Counter> {
      if (visitor.networkHash !== null) yield [byNetwork, visitor.networkHash]
      const isIPv6 = addressPrefix(visitor.origin.address).includes(':')
      yield [isIPv6 ? byAddress : byIPv4, visitor.addressHash]
      yield [byVisitor, actorId(visitor)]
    }
    return {
      take: (visitor, count) => takeAll(countersOf(visitor), count),
      giveBack: (visitor, count) => giveBackAll(countersOf(visitor), count),
    }
  }
