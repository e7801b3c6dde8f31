/**
 * Remembers which browsers have written and which have a proof of work, because raid mode spares
 * them. Members need no entry.
 */
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import { createBatchQueue } from '../../lib/batch-queue.ts'
import { insertWriters, saveProof, selectKnownVisitor, type WrittenOn } from './known-visitors.queries.ts'
import { createLru } from '../../lib/lru.ts'

export interface KnownVisitors {
  /**
   * Whether a visitor's first post is old enough, and whether a proof of work is valid. Mostly
   * answered from memory.
   */
  look(visitorId: string): Promise<{ readonly isRegular: boolean; readonly hasProven: boolean }>
  /** Records in the background that a visitor has written. */
  wrote(visitorId: string): void
  /** Stores a proof. */
  prove(visitorId: string, until: Date): Promise<void>
  settle(): Promise<void>
  close(): Promise<void>
}

export interface KnownVisitorsOptions {
  readonly db: Db
  readonly now: () => number
  readonly log: FastifyBaseLogger
  /** A visitor whose first post is younger is a newcomer. */
  readonly newcomerHours: () => number
}

const NOTE_EVERY_MS = 1_000
const NOTE_BATCH = 1_000
/** Visitors kept in memory; each takes some 100 bytes. */
const REMEMBERED = 50_000
const DAY_MS = 86_400_000
/** Short, because a newcomer may have submitted a proof at another server a moment ago. */
const NEWCOMER_TTL_MS = 2_000

interface Facts {
  readonly firstPostAt: number | null
  readonly provenUntil: number | null
  readonly readAt: number
}

const startOfDay = (milliseconds: number): number => milliseconds - (milliseconds % DAY_MS)

export function createKnownVisitors({ db, now, log, newcomerHours }: KnownVisitorsOptions): KnownVisitors {
  /** The day (UTC) for which a visitor's last post is already stored or queued. */
  const noted = createLru<string, number>(REMEMBERED)
  const facts = createLru<string, Facts>(REMEMBERED)
  const queue = createBatchQueue<WrittenOn>({
    name: 'known visitors',
    everyMs: NOTE_EVERY_MS,
    batch: NOTE_BATCH,
    work: (posts) => insertWriters(db, posts),
    log,
  })

  const judge = ({ firstPostAt, provenUntil }: Facts) => ({
    isRegular: firstPostAt !== null && firstPostAt <= now() - newcomerHours() * 3_600_000,
    hasProven: provenUntil !== null && provenUntil > now(),
  })

  return {
    async look(visitorId) {
      const remembered = facts.get(visitorId)
      if (remembered !== undefined) {
        const judged = judge(remembered)
        if (judged.isRegular || judged.hasProven || now() - remembered.readAt < NEWCOMER_TTL_MS) return judged
      }
      const row = await selectKnownVisitor(db, visitorId)
      const read = {
        firstPostAt: row?.firstPostAt?.getTime() ?? null,
        provenUntil: row?.provenUntil?.getTime() ?? null,
        readAt: now(),
      }
      facts.set(visitorId, read)
      return judge(read)
    },
    wrote(visitorId) {
      const day = startOfDay(now())
      if (noted.get(visitorId) === day) return
      noted.set(visitorId, day)
      queue.add([{ visitorId, at: new Date(now()).toISOString(), day: new Date(day).toISOString() }])
    },
    async prove(visitorId, until) {
      await saveProof(db, visitorId, { provenUntil: until, day: new Date(startOfDay(now())) })
      facts.delete(visitorId)
    },
    settle: queue.settle,
    close: queue.close,
  }
}
