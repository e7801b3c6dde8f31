/** Who may not write where, and why: in memory on every server, so that asking costs a post nothing. */
import type { FastifyBaseLogger } from 'fastify'
import type { LRUCache } from 'lru-cache'
import { LOOK_BACK_DAYS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import { moderatesIn, runsBoard } from '../../http/session.ts'
import { actorId, type Visitor } from '../../http/visitor.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createFollower } from '../../lib/follower.ts'
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

/** Where somebody is about to write. Null: in no thread or category, or in one that is not known here. */
export interface Place {
  readonly categoryId: string | null
  readonly threadId: string | null
}

/** Outside every thread: profile and the like. Only bans from the whole board hold there. */
export const NOWHERE: Place = { categoryId: null, threadId: null }

/** Who wrote something, when the request is over. */
export interface Writer {
  /** Null for an anonymous visitor. */
  readonly userId: string | null
  readonly visitorId: string
}

export interface Bans {
  /** Lets pass who may write there. @throws ApiError banned, with the reason and the end of the ban that lasts longest */
  check(visitor: Visitor, place: Place): void
  /**
   * Whether somebody may not write there who is known by ids alone, as of what they wrote before: by account, by browser, and by the
   * networks they wrote from on the same days as whom a ban of a network was aimed at.
   */
  hits(db: Db, writer: Writer, place: Place): Promise<boolean>
  /** Notes, in the background, that somebody has written, and from which network: bans of networks live by it. */
  seen(visitor: Visitor): void
  /** What a ban of a network holds that is known by its address, out of a temporary log. */
  networkSubject(address: string): string
  /** The hashes under which such a network stands in `origins` for the days that are looked back on. */
  recentNetworks(address: string): string[]
  /** Deletes what is too old to be looked back on. */
  sweep(): Promise<void>
  /** Resolves when all that was seen is noted. */
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

/** Networks are noted in batches; a ban an hour later does not mind a second. */
const NOTE_EVERY_MS = 1_000
const NOTE_BATCH = 1_000
/** Who wrote from where today and is noted already; one of these is some 200 bytes. */
const NOTED_MAX = 20_000
/** Addresses for which the bans of their network are known. */
const ADDRESSES_MAX = 10_000
const DAY_MS = 86_400_000

/** The standing bans, by whom they hit. */
interface Copy {
  readonly bySubject: ReadonlyMap<string, readonly StandingBan[]>
  /** Keys of the hashes that networks are banned by. */
  readonly networkKeys: readonly NetworkKey[]
  /** Bans of an address's network, by the hash of the address: working them out costs a hash for each key. */
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

  function bansOf(visitor: Visitor, { categoryId }: Place): readonly StandingBan[] {
    if (copy.bySubject.size === 0) return NONE
    const { member, visitorId } = visitor
    // Whoever moderates there is banned by account, by who stands above them: never by the browser or network of somebody else.
    if (member !== null && moderatesIn(member, categoryId))
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
  const notes = createFollower<{ actor: string; hash: string; at: number }>({
    name: 'networks of writers',
    everyMs: NOTE_EVERY_MS,
    batch: NOTE_BATCH,
    work: (items) => insertOrigins(db, items),
    log,
  })

  return {
    check(visitor, place) {
      // Who runs the board is not shut out of it by the network they happen to sit in.
      if (visitor.member !== null && runsBoard(visitor.member)) return
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
      // A socket lives on after midnight, and its address's hash stays that of the day before.
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

const holdsAt = ({ scope, scopeId }: StandingBan, { categoryId, threadId }: Place): boolean =>
  scope === 'site' || (scopeId !== null && scopeId === (scope === 'category' ? categoryId : threadId))

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

/** The minute that is told is one at which it is over, so that nobody comes back too early. */
const tellEnd = (expiresAt: Date): string =>
  JAPANESE_TIME.format(Math.ceil(expiresAt.getTime() / MINUTE_MS) * MINUTE_MS)

const toRefusal = ({ reason, expiresAt }: StandingBan): ApiError =>
  new ApiError('banned', messages.banned(reason, expiresAt === null ? null : tellEnd(expiresAt)))
