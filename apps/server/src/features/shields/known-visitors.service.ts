/** Which browsers have written before, and which have proven work: those whom raid mode lets pass. Members are known anyway. */
import type { FastifyBaseLogger } from 'fastify'
import type { Db } from '../../db/client.ts'
import { createFollower } from '../../lib/follower.ts'
import {
  deleteOldProofs,
  insertFirstPosts,
  saveProof,
  selectKnownVisitor,
  type FirstPost,
} from './known-visitors.queries.ts'
import { createLru } from '../../lib/lru.ts'

export interface KnownVisitors {
  /** Whether a visitor's first post is old enough, and whether a proof of work counts. Asks the database seldom. */
  look(visitorId: string): Promise<{ readonly isRegular: boolean; readonly hasProven: boolean }>
  /** Notes, in the background, that a visitor has written. */
  wrote(visitorId: string): void
  /** Stores a proof. */
  prove(visitorId: string, until: Date): Promise<void>
  /** Deletes proofs that count no more. */
  sweep(): Promise<void>
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
/** Visitors remembered; one is some 100 bytes. */
const REMEMBERED = 50_000
/** A newcomer may have proven work at another server a moment ago. */
const NEWCOMER_TTL_MS = 2_000

interface Facts {
  readonly firstPostAt: number | null
  readonly provenUntil: number | null
  readonly readAt: number
}

export function createKnownVisitors({ db, now, log, newcomerHours }: KnownVisitorsOptions): KnownVisitors {
  /** Whose first post is in the database, or on its way. */
  const noted = createLru<string, true>(REMEMBERED)
  const facts = createLru<string, Facts>(REMEMBERED)
  const follower = createFollower<FirstPost>({
    name: 'known visitors',
    everyMs: NOTE_EVERY_MS,
    batch: NOTE_BATCH,
    work: (posts) => insertFirstPosts(db, posts),
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
      if (noted.has(visitorId)) return
      noted.set(visitorId, true)
      follower.add([{ visitorId, at: new Date(now()).toISOString() }])
    },
    async prove(visitorId, until) {
      await saveProof(db, visitorId, until)
      facts.delete(visitorId)
    },
    sweep: () => deleteOldProofs(db, new Date(now())),
    settle: follower.settle,
    close: follower.close,
  }
}
