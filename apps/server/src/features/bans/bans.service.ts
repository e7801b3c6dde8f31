/** Checks of bans: in memory on every server, so that a check costs a post no query. */
import type { FastifyBaseLogger } from 'fastify'
import type { LRUCache } from 'lru-cache'
import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import { may } from '@shinobi/contract/permissions'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import { createNetworkHasher, dayOf, keyOfHash, type NetworkKey } from './networks.ts'
import {
  deleteOrigins,
  forgetNetworks,
  insertOrigins,
  selectNetworks,
  selectStanding,
  type StandingBan,
} from './bans.queries.ts'
import { createLru } from '../../lib/lru.ts'

/** The place of a text to write. Null: no thread or category, or an unknown one. */
export interface Place {
  readonly categoryId: string | null
  readonly threadId: string | null
}

/** Outside all threads: the profile, for example. Only bans from the whole board apply there. */
export const NOWHERE: Place = { categoryId: null, threadId: null }

/** For what must not be done with any ban in force, wherever it applies. */
export const ANYWHERE = 'anywhere'

/** The writer of a stored text, without the request. */
export interface Writer {
  /** Null for an anonymous visitor. */
  readonly userId: string | null
  readonly visitorId: string
}

export interface Bans {
  /**
   * Refuses a banned visitor. @throws ApiError banned, with the reason and end of the longest ban
   */
  check(visitor: Visitor, place: Place | typeof ANYWHERE): void
  /**
   * Whether a ban applies to a writer known by ids alone: by account, by browser, and by the
   * networks they posted from on the same days as the target of a ban of a network.
   */
  hits(db: Db, writer: Writer, place: Place | typeof ANYWHERE): Promise<boolean>
  /**
   * Stores, in the background, that a visitor has posted, and from which network: bans of networks
   * use it.
   */
  seen(visitor: Visitor): void
  /** The subject of a ban of a network whose address is known from a temporary log. */
  networkSubject(address: string): string
  /** The hashes of such a network in `origins` within the look-back period. */
  recentNetworks(address: string): string[]
  /** Deletes rows older than the look-back period. */
  sweep(): Promise<void>
  /** Resolves when everything seen is stored. */
  settle(): Promise<void>
  close(): Promise<void>
}

export interface BansOptions {
  readonly db: Db
  readonly secret: string
  readonly now: () => number
  readonly log: FastifyBaseLogger
  readonly revisions: Revisions
}

/** Networks are stored in batches; a delay of a second does not matter to later bans. */
const NOTE_EVERY_MS = 1_000
const NOTE_BATCH = 1_000
/** Maximum remembered writers that are stored already for today; some 200 bytes each. */
const NOTED_MAX = 20_000
/** Maximum addresses whose bans of networks are cached. */
const ADDRESSES_MAX = 10_000
const DAY_MS = 86_400_000

/** The bans in force, by subject. */
interface Copy {
  readonly bySubject: ReadonlyMap<string, readonly StandingBan[]>
  /** Keys of the hashes in bans of networks. */
  readonly networkKeys: readonly NetworkKey[]
  /**
   * Bans of an address's network, by the hash of the address: computing them costs a hash for each
   * key.
   */
  readonly byAddress: LRUCache<string, readonly StandingBan[]>
}

const NONE: readonly StandingBan[] = []
const subjectKey = (kind: StandingBan['kind'], subject: string): string => `${kind} ${subject}`

function toCopy(bans: readonly StandingBan[]): Copy {
  const bySubject = Map.groupBy(
    bans.flatMap((ban) => ban.subjects.map((subject) => ({ key: subjectKey(ban.kind, subject), ban }))),
    ({ key }) => key,
  )
  const networks = bans.filter(({ kind }) => kind === 'network')
  return {
    bySubject: new Map([...bySubject].map(([key, hits]) => [key, hits.map(({ ban }) => ban)])),
    networkKeys: [...new Set(networks.flatMap(({ subjects }) => subjects).map(keyOfHash))],
    byAddress: createLru(ADDRESSES_MAX),
  }
}

export async function followBans({ db, secret, now, log, revisions }: BansOptions): Promise<Bans> {
  const hasher = createNetworkHasher(secret)
  let copy = toCopy([])
  await revisions.follow('bans', async () => {
    copy = toCopy(await selectStanding(db, new Date(now())))
  })

  function bansOfNetwork({ addressHash, origin }: Visitor): readonly StandingBan[] {
    const { bySubject, networkKeys, byAddress } = copy
    if (networkKeys.length === 0) return NONE
    let bans = byAddress.get(addressHash)
    if (bans === undefined) {
      const found = networkKeys.flatMap(
        (key) => bySubject.get(subjectKey('network', hasher.hash(origin.address, key))) ?? NONE,
      )
      bans = found.length === 0 ? NONE : [...new Set(found)]
      byAddress.set(addressHash, bans)
    }
    return bans
  }

  function bansOfActor({ userId, visitorId }: Writer): StandingBan[] {
    const { bySubject } = copy
    return [
      ...(userId === null ? NONE : (bySubject.get(subjectKey('user', userId)) ?? NONE)),
      ...(bySubject.get(subjectKey('visitor', visitorId)) ?? NONE),
    ]
  }

  function bansOf(visitor: Visitor, place: Place | typeof ANYWHERE): readonly StandingBan[] {
    if (copy.bySubject.size === 0) return NONE
    const { member, visitorId } = visitor
    // A moderator of the category can be banned there by account only, by a higher rank: a ban of
    // another person's browser or network does not apply.
    if (member !== null && may(member, 'writeFromBannedNetwork', place === ANYWHERE ? null : place.categoryId))
      return copy.bySubject.get(subjectKey('user', member.id)) ?? NONE
    return [...bansOfActor({ userId: member?.id ?? null, visitorId }), ...bansOfNetwork(visitor)]
  }

  async function bansOfNetworksOf(tx: Db, { userId, visitorId }: Writer): Promise<readonly StandingBan[]> {
    const { bySubject, networkKeys } = copy
    if (networkKeys.length === 0) return NONE
    const hashes = await selectNetworks(tx, userId ?? visitorId, new Date(now() - LOOK_BACK_DAYS * DAY_MS))
    return hashes.flatMap((hash) => bySubject.get(subjectKey('network', hash)) ?? NONE)
  }

  const noted = createLru<string, true>(NOTED_MAX)
  const notes = createBatchQueue<{ actor: string; hash: string; at: number }>({
    name: 'networks of writers',
    everyMs: NOTE_EVERY_MS,
    batch: NOTE_BATCH,
    work: (items) => insertOrigins(db, items),
    log,
  })

  return {
    check(visitor, place) {
      // A ban of an administrator's network does not lock the administrator out.
      if (may(visitor.member, 'writeWhileBanned')) return
      const at = now()
      const told = bansOf(visitor, place)
        .filter((ban) => holdsAt(ban, place) && endOf(ban) > at)
        .reduce<StandingBan | null>((longest, ban) => (longest && endOf(longest) >= endOf(ban) ? longest : ban), null)
      if (told !== null) throw toRefusal(told)
    },
    async hits(tx, writer, place) {
      const at = now()
      const isHit = (ban: StandingBan): boolean => holdsAt(ban, place) && endOf(ban) > at
      return bansOfActor(writer).some(isHit) || (await bansOfNetworksOf(tx, writer)).some(isHit)
    },
    seen(visitor) {
      const at = now()
      // A socket stays open after midnight, and its address's hash stays that of the day before.
      const key = `${dayOf(at)} ${actorId(visitor)} ${visitor.addressHash}`
      if (noted.has(key)) return
      noted.set(key, true)
      notes.add([{ actor: actorId(visitor), hash: hasher.hash(visitor.origin.address, dayOf(at)), at }])
    },
    networkSubject: (address) => hasher.hash(address, 'net'),
    recentNetworks(address) {
      const today = dayOf(now())
      return Array.from({ length: LOOK_BACK_DAYS + 1 }, (_, ago) => hasher.hash(address, today - ago))
    },
    async sweep() {
      const before = new Date(now() - LOOK_BACK_DAYS * DAY_MS)
      await deleteOrigins(db, before)
      await forgetNetworks(db, before)
    },
    settle: () => notes.settle(),
    close: () => notes.close(),
  }
}

function holdsAt({ scope, scopeId }: StandingBan, place: Place | typeof ANYWHERE): boolean {
  if (place === ANYWHERE || scope === 'site') return true
  return scopeId !== null && scopeId === (scope === 'category' ? place.categoryId : place.threadId)
}

const endOf = ({ expiresAt }: StandingBan): number => expiresAt?.getTime() ?? Infinity

const JAPANESE_TIME = new Intl.DateTimeFormat('ja-JP', {
  timeZone: 'Asia/Tokyo',
  year: 'numeric',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const MINUTE_MS = 60_000

/** Rounded up to the minute, so that the ban is over at the time shown. */
const tellEnd = (expiresAt: Date): string =>
  JAPANESE_TIME.format(Math.ceil(expiresAt.getTime() / MINUTE_MS) * MINUTE_MS)

const toRefusal = ({ reason, expiresAt }: StandingBan): ApiError =>
  new ApiError('banned', messages.banned(reason, expiresAt === null ? null : tellEnd(expiresAt)))
