/**
 * Raid mode (結界) of each category: what stands, in memory on every server, and how it rises and falls by what write-counts.ts counts.
 * Each server counts its own; the steps are everybody's.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import type { Tables } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { ResponseCache } from '../../http/response-cache.ts'
import { NOTICES_TAG } from '../../http/tags.ts'
import { scopeOf } from '../../http/session.ts'
import type { Visitor } from '../../http/visitor.ts'
import { isDatabaseAway, refuse } from '../../lib/api-error.ts'
import type { Background } from '../../lib/background.ts'
import type { Link } from '../../redis/link.ts'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { createWatcher } from '../../lib/watcher.ts'
import type { Live } from '../../realtime/live.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import { createKnownVisitors } from './known-visitors.service.ts'
import { createProofs, type Proofs } from './proofs.service.ts'
import { endShield, keepShield, lowerShield, raiseShield, selectShields, type ShieldRow } from './shields.queries.ts'
import { createWriteCounts, type WriteKind } from './write-counts.ts'

/** What raid mode asks of somebody who writes. */
export interface ShieldVerdict {
  /** The step by which it was judged. */
  readonly step: number
  /** Seconds between two of their posts; 0 where nothing stands. */
  readonly cooldown: number
  readonly needsProof: boolean
  /** A moderator looks at it first, once it was proven, if it has to be. */
  readonly hold: boolean
}

/** A category's shield as it stands at this moment. */
export interface StandingShield {
  readonly categoryId: string
  readonly step: number
  readonly since: Date
  readonly manual: boolean
  readonly until: Date | null
}

export interface Shields {
  readonly proofs: Proofs
  /** The shield of a category; null when the board decides, and it is calm. */
  find(categoryId: string): StandingShield | null
  /** All that stand, whatever their step. */
  list(): readonly StandingShield[]
  /** Tries of the last 60 seconds at this server. */
  countTries(categoryId: string): Readonly<Record<WriteKind, number>>
  /** Counts a try to write, whatever becomes of it. */
  noteTry(visitor: Visitor, categoryId: string, kind: WriteKind): void
  /** A try was admitted, and counts whole; too many raise the step. */
  noteAdmitted(visitor: Visitor, categoryId: string, kind: WriteKind): void
  /** What is asked of a visitor. @throws ApiError locked */
  judge(visitor: Visitor, categoryId: string): Promise<ShieldVerdict>
  /** Somebody's post is committed: visitors are no newcomers for ever. */
  wrote(visitor: Pick<Visitor, 'member' | 'visitorId'>): void
  /** Takes steps back that are needed no more; runs by itself every few seconds. */
  tick(): Promise<void>
  settle(): Promise<void>
  close(): Promise<void>
}

export interface ShieldsOptions {
  readonly db: Db
  readonly secret: string
  readonly now: () => number
  readonly log: FastifyBaseLogger
  readonly revisions: Revisions
  readonly settings: Pick<LiveSettings, 'current' | 'onChange'>
  /** Whether browsers can do the proof: only on https or localhost do they lend pages their cryptography. Elsewhere posts are held instead. */
  readonly canProve: boolean
  readonly background: Background
  readonly cache: ResponseCache
  readonly live: Live
  /** To the other servers, with whom tries are counted together. */
  readonly link: Pick<Link, 'tell' | 'on'> | null
}

const TICK_EVERY_MS = 5_000

/** A step that could not be written for so long is tried anew rather than kept by one server for ever. */
const AHEAD_MS = 30_000
const OPEN: ShieldVerdict = { step: 0, cooldown: 0, needsProof: false, hold: false }

export async function followShields(options: ShieldsOptions): Promise<Shields> {
  const { db, secret, now, log, revisions, settings, canProve, background, cache, live, link } = options
  const known = createKnownVisitors({ db, now, log, newcomerHours: () => settings.current.newcomerHours })
  let rows: ReadonlyMap<string, ShieldRow> = new Map()
  /** Steps this server has seen to be needed, until the rows say so, or it turns out that they cannot be written. */
  const ahead = new Map<string, { readonly step: number; readonly since: number }>()
  /** When this server last saw a category's step needed. */
  const needed = new Map<string, number>()
  let told: string | null = null

  function find(categoryId: string): StandingShield | null {
    const row = rows.get(categoryId)
    const isOver = row?.manual === true && row.until !== null && row.until.getTime() <= now()
    const standing = row === undefined || isOver ? null : row
    const early = ahead.get(categoryId)
    if (early === undefined || now() - early.since > AHEAD_MS || standing?.manual === true) return standing
    if (early.step <= (standing?.step ?? 0)) return standing
    return { categoryId, step: early.step, since: new Date(early.since), manual: false, until: null }
  }

  const list = (): StandingShield[] =>
    [...new Set([...rows.keys(), ...ahead.keys()])].map(find).filter((shield) => shield !== null)

  /** Visitors and cached answers hear of what has changed (the banner stands in the same answer), on whichever server it was done. */
  function tell(): void {
    const standing = list().filter(({ step }) => step > 0)
    const steps = standing.map(({ categoryId, step }) => `${categoryId} ${step}`).toSorted()
    const news = JSON.stringify([settings.current.bannerText, steps])
    if (news === told) return
    const isFirst = told === null
    told = news
    if (isFirst) return
    cache.dropHere([NOTICES_TAG], 'at once')
    live.noticesChanged()
  }

  async function load(): Promise<void> {
    rows = new Map((await selectShields(db)).map((row) => [row.categoryId, row]))
    tell()
  }

  /** Keeps a step that is needed, and raises one that is not enough. */
  function weigh(categoryId: string): void {
    const shield = find(categoryId)
    if (shield?.manual === true) return
    const standing = shield?.step ?? 0
    if (standing > 0 && counts.keptStep(categoryId) >= standing) needed.set(categoryId, now())
    const step = counts.raisedStep(categoryId)
    if (step <= standing) return
    needed.set(categoryId, now())
    if (settings.current.shieldAutomatic) raise(categoryId, step)
  }

  /** Holds here at once, and everywhere within a second or two. */
  function raise(categoryId: string, step: number): void {
    const before = find(categoryId)?.step ?? 0
    const early = { step, since: now() }
    ahead.set(categoryId, early)
    tell()
    background.run(async () => {
      try {
        const at = new Date(now())
        await inTransaction(db, async (tx) => {
          if (!(await raiseShield(tx, categoryId, step, at))) return
          await insertAudit(tx, {
            actor: null,
            at,
            action: 'shield_raise',
            categoryId,
            details: { before: { step: before }, after: { step } },
            isPublic: true,
          })
          await revisions.raise(tx, 'shields')
        })
        await load()
      } finally {
        // From here on the rows tell. After a failure the next try raises again.
        if (ahead.get(categoryId) === early) ahead.delete(categoryId)
        tell()
      }
    })
  }

  /** Brings one shield up to date. */
  async function review({ categoryId, step, manual, until, activeAt }: ShieldRow): Promise<void> {
    const at = new Date(now())
    if (manual) {
      if (until === null || until > at) return
      return ease(categoryId, step, 0, (tx) => endShield(tx, categoryId, at))
    }
    if (counts.keptStep(categoryId) >= step) needed.set(categoryId, now())
    const neededAt = needed.get(categoryId) ?? 0
    if (neededAt > activeAt.getTime()) await keepShield(db, categoryId, new Date(neededAt))
    const quietSince = new Date(now() - settings.current.shieldQuietMinutes * 60_000)
    if (neededAt > quietSince.getTime() || activeAt > quietSince) return
    // Another server may have seen it needed since: the row knows.
    await ease(categoryId, step, step - 1, async (tx) => {
      const lowered = await lowerShield(tx, { categoryId, step, quietSince, at })
      return lowered !== undefined
    })
  }

  async function ease(
    categoryId: string,
    before: number,
    after: number,
    change: (tx: Transaction<Tables>) => Promise<boolean>,
  ): Promise<void> {
    const changed = await inTransaction(db, async (tx) => {
      if (!(await change(tx))) return false
      await insertAudit(tx, {
        actor: null,
        at: new Date(now()),
        action: 'shield_lower',
        categoryId,
        details: { before: { step: before }, after: { step: after } },
        isPublic: true,
      })
      await revisions.raise(tx, 'shields')
      return true
    })
    if (changed) needed.delete(categoryId)
  }

  async function tick(): Promise<void> {
    try {
      for (const row of rows.values()) await review(row)
      if (rows.size > 0) await load()
    } catch (error) {
      if (!isDatabaseAway(error)) log.error({ err: error }, 'could not look after the shields')
    }
  }

  /** A new account is a newcomer, too, but has proven enough: accounts are few an hour and address. */
  async function lookAt({ member, visitorId }: Visitor): Promise<{ isRegular: boolean; hasProven: boolean }> {
    if (member === null) return known.look(visitorId)
    const newcomersSince = uuidv7Floor(now() - settings.current.newcomerHours * 3_600_000)
    return { isRegular: scopeOf(member) !== null || member.id < newcomersSince, hasProven: true }
  }

  const counts = createWriteCounts({ now, settings, link, onCounted: weigh })
  const watcher = createWatcher({ name: 'the shields', everyMs: TICK_EVERY_MS, look: tick, log })
  const proofs = createProofs({
    secret,
    now,
    known,
    highestStep: () => Math.max(0, ...list().map(({ step }) => step)),
  })

  await revisions.follow('shields', load)
  settings.onChange(tell)
  return {
    proofs,
    find,
    list,
    countTries: counts.tries,
    noteTry: (...about) => counts.note('tries', ...about),
    noteAdmitted: (...about) => counts.note('admitted', ...about),
    async judge(visitor, categoryId) {
      const step = find(categoryId)?.step ?? 0
      if (step === 0) return OPEN
      const { shieldCooldownSeconds } = settings.current
      const { isRegular, hasProven } = await lookAt(visitor)
      if (isRegular) return { ...OPEN, step, cooldown: Math.ceil(shieldCooldownSeconds / 2) }
      if (step >= 4) throw refuse('locked', 'shield_locked')
      const isUnproven = step >= 2 && !hasProven
      return {
        step,
        cooldown: shieldCooldownSeconds,
        needsProof: isUnproven && canProve,
        hold: step >= 3 || isUnproven,
      }
    },
    wrote({ member, visitorId }) {
      if (member === null) known.wrote(visitorId)
    },
    tick,
    settle: known.settle,
    async close() {
      counts.close()
      await watcher.close()
      await known.close()
    },
  }
}
