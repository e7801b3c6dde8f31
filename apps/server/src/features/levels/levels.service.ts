/**
 * Levels of browsers and members (忍法帖): trust that grows with clean days (level.rules.ts), and
 * what it opens. Every server keeps the levels of recent writers in memory for a short time.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Transaction } from 'kysely'
import type { Db } from '../../db/client.ts'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Visitor } from '../../http/visitor.ts'
import { refuse } from '../../lib/api-error.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import { dayInJapan } from '../../lib/day-in-japan.ts'
import { createLru } from '../../lib/lru.ts'
import type { Service } from '../../lib/services.ts'
import { timeOfUuid } from '../../lib/uuid.ts'
import {
  afterPost,
  afterRemoval,
  afterRestoration,
  joinLevels,
  levelOf,
  NO_LEVEL,
  type LevelRow,
} from './level.rules.ts'
import {
  deleteLevel,
  deleteOldPhrases,
  lockLevels,
  saveLevels,
  saveMove,
  selectLevel,
  selectMoves,
  type KnownLevel,
} from './levels.queries.ts'

type Actor = Pick<Visitor, 'member' | 'visitorId'>

export interface Levels extends Service {
  /** The level of a visitor: 0 for somebody new. */
  of(visitor: Actor): Promise<number>
  /**
   * Whether a browser has a level, and not only since a move of today: one level that moves through
   * fresh browsers must not make a new person of each.
   */
  isSettled(visitor: Actor): Promise<boolean>
  /** The facts behind it, not from memory. */
  read(visitor: Actor): Promise<LevelRow>
  /** Records in the background that somebody has posted. */
  wrote(writer: Writer): void
  /**
   * Lowers levels after a moderator removed posts, or raises them again after a restoration, in the
   * same transaction. A level that was moved since is lowered where it is now.
   */
  noteRemovals(tx: Transaction<Tables>, texts: readonly RemovedText[], isRestored: boolean): Promise<void>
  /**
   * Moves the level of a browser, which begins anew, in the same transaction.
   * @throws ApiError already_done when the receiver's level would not rise, or an earlier level of
   * this browser has moved to another one
   */
  moveIn(tx: Transaction<Tables>, from: string, to: string): Promise<void>
  /** Deletes the level of a deleted account. */
  erase(userId: string): Promise<void>
  /** Forgets what is in memory about an actor whose row has changed. */
  forget(actorId: string): void
}

/** The writer of a post. Both are null where nobody is known. */
export interface Writer {
  readonly userId: string | null
  readonly visitorId: string | null
}

/** A post that a moderator removes or restores. */
export interface RemovedText extends Writer {
  /** Its id, which has the time when it was written. */
  readonly id: string
}

export interface LevelsOptions {
  readonly db: Db
  readonly now: () => number
  readonly log: FastifyBaseLogger
}

const actorOf = ({ member, visitorId }: Actor): string => member?.id ?? visitorId

/** Actors in memory; each takes some 200 bytes. */
const REMEMBERED = 50_000
/** For so long, a level that another server has changed may be read from memory. */
const TTL_MS = 30_000
const NOTE_EVERY_MS = 1_000
const NOTE_BATCH = 1_000
export function createLevels({ db, now, log }: LevelsOptions): Levels {
  const rows = createLru<string, Promise<KnownLevel>>(REMEMBERED, { ttl: TTL_MS })
  /** The day for which an actor's post is stored or queued. */
  const noted = createLru<string, string>(REMEMBERED)
  const queue = createBatchQueue<string>({
    name: 'levels',
    everyMs: NOTE_EVERY_MS,
    batch: NOTE_BATCH,
    log,
    work: (actorIds) => inTransaction(db, (tx) => changeIn(tx, [...new Set(actorIds)], afterPost)),
  })

  function find(actor: string): Promise<KnownLevel> {
    let row = rows.get(actor)
    if (row === undefined) {
      row = selectLevel(db, actor).then((found) => found ?? { ...NO_LEVEL, arrivedAt: null })
      rows.set(actor, row)
      row.catch(() => rows.delete(actor))
    }
    return row
  }

  async function changeIn(
    tx: Transaction<Tables>,
    actorIds: readonly string[],
    next: (row: LevelRow, today: string, actor: string) => LevelRow,
  ): Promise<void> {
    const today = dayInJapan(now())
    const before = await lockLevels(tx, actorIds, today)
    await saveLevels(tx, new Map([...before].map(([actor, row]) => [actor, next(row, today, actor)])), today)
    afterCommit(tx, () => {
      for (const actor of actorIds) rows.delete(actor)
    })
  }

  /** The actors whose levels texts count for: where their writers' levels have moved since. */
  async function findActors(tx: Transaction<Tables>, texts: readonly RemovedText[]): Promise<string[]> {
    const found = texts.flatMap(({ userId, visitorId, id }) => {
      const actor = userId ?? visitorId
      return actor === null ? [] : [{ actor, at: timeOfUuid(id) }]
    })
    if (found.length === 0) return []
    const moves = await selectMoves(tx, [...new Set(found.map(({ actor }) => actor))])
    const moveOf = new Map(moves.map((move) => [move.actorId, move]))
    return found.map(({ actor, at }) => {
      const move = moveOf.get(actor)
      return move !== undefined && move.movedAt.getTime() > at ? move.movedTo : actor
    })
  }

  function forget(actor: string): void {
    rows.delete(actor)
    noted.delete(actor)
  }

  return {
    async of(visitor) {
      return levelOf(await find(actorOf(visitor)), dayInJapan(now()))
    },
    async isSettled(visitor) {
      const today = dayInJapan(now())
      const row = await find(actorOf(visitor))
      const arrived = row.arrivedAt === null ? null : dayInJapan(row.arrivedAt.getTime())
      return levelOf(row, today) > 0 && arrived !== today
    },
    read: async (visitor) => (await selectLevel(db, actorOf(visitor))) ?? NO_LEVEL,
    wrote({ userId, visitorId }) {
      const actor = userId ?? visitorId
      const today = dayInJapan(now())
      if (actor === null || noted.get(actor) === today) return
      noted.set(actor, today)
      queue.add([actor])
    },
    async noteRemovals(tx, texts, isRestored) {
      const counts = new Map<string, number>()
      for (const actor of await findActors(tx, texts)) counts.set(actor, (counts.get(actor) ?? 0) + 1)
      if (counts.size === 0) return
      const after = isRestored ? afterRestoration : afterRemoval
      await changeIn(tx, [...counts.keys()], (row, today, actor) => after(row, today, counts.get(actor)!))
      // The day must be noted again by the next post.
      for (const actor of counts.keys()) noted.delete(actor)
    },
    async moveIn(tx, from, to) {
      const today = dayInJapan(now())
      const before = await lockLevels(tx, [from, to], today)
      const own = before.get(to)!
      const joined = joinLevels(own, before.get(from)!, today)
      if (levelOf(joined, today) <= levelOf(own, today)) throw refuse('already_done', 'scroll_not_higher')
      // The row that says where the earlier level went is needed to follow it with removals.
      const [earlier] = await selectMoves(tx, [from])
      if (earlier !== undefined && earlier.movedTo !== to) throw refuse('already_done', 'scroll_moved_before')
      const after = new Map([
        [from, NO_LEVEL],
        [to, joined],
      ])
      await saveLevels(tx, after, today)
      await saveMove(tx, { actorId: from, movedTo: to, movedAt: new Date(now()) })
      afterCommit(tx, () => {
        forget(from)
        forget(to)
      })
    },
    async erase(userId) {
      await deleteLevel(db, userId)
      forget(userId)
    },
    forget,
    sweep: (at) => deleteOldPhrases(db, new Date(at)),
    settle: queue.settle,
    close: queue.close,
  }
}
