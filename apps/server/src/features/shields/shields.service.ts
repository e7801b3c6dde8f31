/**
 * Raid mode (結界) of each category. Every server keeps the steps of all in memory, and raises and
 * lowers them by the counts of write-counts.ts. A change on one server applies on all.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from 'kysely'
import type { Config } from '../../config.ts'
import { isStaff } from '@shinobi/contract/permissions'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import type { Tables } from '../../db/tables.ts'
import { inTransaction } from '../../db/transaction.ts'
import type { ResponseCache } from '../../http/response-cache.ts'
import { NOTICES_TAG } from '../../http/tags.ts'
import type { Visitor } from '../../http/visitor.ts'
import { isDatabaseAway, refuse } from '../../lib/api-error.ts'
import type { Background } from '../../lib/background.ts'
import type { Bus } from '../../redis/bus.ts'
import { createPoller } from '../../lib/poller.ts'
import type { Live } from '../../realtime/live.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import type { Levels } from '../levels/levels.service.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import { createProofs, type Proofs } from './proofs.service.ts'
import { endShield, keepShield, lowerShield, raiseShield, selectShields, type ShieldRow } from './shields.queries.ts'
import type { SourceStep, WriteKind } from './sources.ts'
import { createWriteCounts } from './write-counts.ts'

/** The requirements of raid mode for a writer. */
export interface ShieldVerdict {
  /** The current step of the category. */
  readonly step: number
  /** The step of the writer's source; see `Sources`. */
  readonly ofSource: SourceStep
  readonly isNewcomer: boolean
  /** Minimum seconds between two posts of the writer; 0 without raid mode. */
  readonly cooldown: number
  readonly needsProof: boolean
  /** A moderator must approve the post, after the proof if one is needed. */
  readonly hold: boolean
}

/** The current shield of a category. */
export interface StandingShield {
  readonly categoryId: string
  readonly step: number
  readonly since: Date
  readonly manual: boolean
  readonly until: Date | null
}

export interface Shields {
  readonly proofs: Proofs
  /** The shield of a category; null when steps are automatic and the step is 0. */
  find(categoryId: string): StandingShield | null
  /** All shields, also those set to step 0 by hand. */
  list(): readonly StandingShield[]
  /** Tries of the last 60 seconds that this server knows of. */
  countTries(categoryId: string): Readonly<Record<WriteKind, number>>
  /** Counts a try to write, whatever its result. */
  noteTry(visitor: Visitor, categoryId: string, kind: WriteKind): void
  /** Counts an admitted try at full weight; many of them raise the step. */
  noteAdmitted(visitor: Visitor, categoryId: string, kind: WriteKind, verdict: ShieldVerdict): void
  /** Returns the requirements for a visitor. @throws ApiError locked */
  judge(visitor: Visitor, categoryId: string, kind: WriteKind): Promise<ShieldVerdict>
  /** Whether a verdict still holds: none of its steps has changed since. */
  isCurrent(verdict: ShieldVerdict, visitor: Visitor, categoryId: string, kind: WriteKind): boolean
  /** Lowers steps that are no longer needed; runs by itself every few seconds. */
  tick(): Promise<void>
  close(): Promise<void>
}

export interface ShieldsOptions {
  readonly db: Db
  readonly secret: string
  readonly now: () => number
  readonly log: FastifyBaseLogger
  readonly revisions: Revisions
  readonly settings: Pick<LiveSettings, 'current' | 'onChange'>
  readonly config: Pick<Config, 'publicUrl'>
  readonly background: Background
  readonly cache: ResponseCache
  readonly live: Live
  readonly levels: Pick<Levels, 'of'>
  /** The bus to the other servers, which share their counts of tries. */
  readonly bus: Pick<Bus, 'publish' | 'subscribe'> | null
}

const TICK_EVERY_MS = 5_000

/**
 * After this time without being stored, a step is dropped and raised anew, so that no server keeps
 * it alone forever.
 */
const AHEAD_MS = 30_000

export async function followShields(options: ShieldsOptions): Promise<Shields> {
  const { config, db, secret, now, log, revisions, settings, background, cache, live, levels, bus } = options
  // Browsers offer no cryptography for the proof to insecure pages, so posts are held there
  // instead.
  const canProve = isSecureContext(config.publicUrl)
  let rows: ReadonlyMap<string, ShieldRow> = new Map()
  /** Steps that this server has raised, until they are stored or storing them fails. */
  const ahead = new Map<string, { readonly step: number; readonly since: number }>()
  /** When this server last needed a category's step. */
  const needed = new Map<string, number>()
  /** Steps are stored one after the other, so that the log has them in order. */
  let storing: Promise<void> = Promise.resolve()
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

  /**
   * Drops cached answers and notifies visitors when a step, or a setting in the same answer, has
   * changed, on any server.
   */
  function tell(): void {
    const standing = list().filter(({ step }) => step > 0)
    const steps = standing.map(({ categoryId, step }) => `${categoryId} ${step}`).toSorted()
    const { bannerText, ownDeleteMinutes } = settings.current
    const news = JSON.stringify([bannerText, ownDeleteMinutes, steps])
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

  /** Marks a step as needed, and raises one that is too low. */
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

  /** Applies on this server at once, and on all within a second or two. */
  function raise(categoryId: string, step: number): void {
    const before = find(categoryId)?.step ?? 0
    const early = { step, since: now() }
    ahead.set(categoryId, early)
    tell()
    const store = async (): Promise<void> => {
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
        // From here on the stored row applies. After a failure the next try raises the step again.
        if (ahead.get(categoryId) === early) ahead.delete(categoryId)
        tell()
      }
    }
    background.run(() => (storing = storing.then(store, store)))
  }

  /** Updates one shield: ends it, keeps it, or lowers it. */
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
    // Another server may have needed it since: the statement checks the stored time.
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
      if (!isDatabaseAway(error)) log.error({ err: error }, 'could not update the shields')
    }
  }

  /** Whether raid mode spares a visitor: the staff, and those with a high enough level. */
  const isRegular = async (visitor: Visitor): Promise<boolean> =>
    (visitor.member !== null && isStaff(visitor.member)) || (await levels.of(visitor)) >= settings.current.levelRaid

  const stepOf = (categoryId: string): number => find(categoryId)?.step ?? 0
  const stepOfSource = (visitor: Visitor, kind: WriteKind): SourceStep =>
    settings.current.shieldAutomatic ? counts.sources.stepOf(visitor, kind) : 0

  const counts = createWriteCounts({ now, settings, bus, onCounted: weigh })
  const poller = createPoller({ name: 'the shields', everyMs: TICK_EVERY_MS, poll: tick, log })
  const proofs = createProofs({
    secret,
    now,
    db,
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
    noteAdmitted(visitor, categoryId, kind, { isNewcomer }) {
      if (isNewcomer) counts.sources.noteNewcomer(visitor, kind)
      counts.note('admitted', visitor, categoryId, kind)
    },
    async judge(visitor, categoryId, kind) {
      const { shieldCooldownSeconds } = settings.current
      const isNewcomer = !(await isRegular(visitor))
      const step = stepOf(categoryId)
      const ofSource = stepOfSource(visitor, kind)
      const cooldown = step === 0 ? 0 : shieldCooldownSeconds
      const open = { step, ofSource, isNewcomer, needsProof: false, hold: false }
      if (!isNewcomer) return { ...open, cooldown: Math.ceil(cooldown / 2) }
      if (step >= 4) throw refuse('locked', 'shield_locked')
      const strictest = Math.max(step, ofSource)
      // Accounts are limited per hour and address, which counts as a proof.
      const isUnproven = strictest >= 2 && visitor.member === null && !(await proofs.hasProven(visitor.visitorId))
      return { ...open, cooldown, needsProof: isUnproven && canProve, hold: strictest >= 3 || isUnproven }
    },
    isCurrent: ({ step, ofSource }, visitor, categoryId, kind) =>
      step === stepOf(categoryId) && ofSource === stepOfSource(visitor, kind),
    tick,
    async close() {
      counts.close()
      await poller.close()
    },
  }
}

/** Whether browsers treat our pages as a secure context (https or localhost). */
const isSecureContext = (publicUrl: string): boolean =>
  publicUrl.startsWith('https://') || /^http:\/\/(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:|\/|$)/.test(publicUrl)
