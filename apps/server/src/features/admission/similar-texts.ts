/**
 * Tells what several writers have written nearly alike within a day: copies of a raid, also with
 * small changes. Everything is in memory of each server and follows from posts: it is read from the
 * database at the start, and the other servers are told of each text.
 */
import type { Db } from '../../db/client.ts'
import type { Service } from '../../lib/services.ts'
import { timeOfUuid } from '../../lib/uuid.ts'
import type { Bus } from '../../redis/bus.ts'
import { createRecentTexts } from './recent-texts.ts'
import { selectEarlierTexts } from './similar-texts.queries.ts'
import { LETTERS_MIN, signText } from './text-signature.ts'

export interface SimilarTexts extends Service {
  /**
   * Notes a text that is about to be written.
   * @returns whether at least two others have written nearly the same within a day
   */
  note(actorId: string, text: string): boolean
}

export interface SimilarTextsOptions {
  readonly db: Db
  readonly now: () => number
  readonly bus: Pick<Bus, 'publish' | 'subscribe'> | null
  readonly log: { warn(fields: object, message: string): void }
  /** Milliseconds of a monotonic clock. */
  readonly clock?: () => number
}

/** The third writer of a text is held: two people may have had the same thought. */
const OTHER_WRITERS = 2
const LOOK_BACK_MS = 86_400_000
/**
 * Texts compared in a second: one percent of the event loop, and ten times what people write on a
 * busy evening. What comes faster is a flood, which raid mode stops by its number.
 */
const COMPARED_PER_SECOND = 100
/** Posts read at the start, and at a time: signing a page takes some milliseconds. */
const EARLIER_MAX = 30_000
const EARLIER_AT_ONCE = 300

export function createSimilarTexts({
  db,
  now,
  bus,
  log,
  clock = () => performance.now(),
}: SimilarTextsOptions): SimilarTexts {
  const recent = createRecentTexts()
  let second = 0
  let compared = 0
  let isClosed = false
  let reading: Promise<void> = Promise.resolve()

  bus?.subscribe('text', ({ writer, rows }) => {
    recent.note({ writer, rows, at: now() }, now() - LOOK_BACK_MS)
  })

  /** Whether one more text may be compared in this second. */
  function takeTurn(): boolean {
    const current = Math.floor(clock() / 1_000)
    if (current !== second) [second, compared] = [current, 0]
    compared += 1
    return compared <= COMPARED_PER_SECOND
  }

  async function readEarlier(): Promise<void> {
    const since = now() - LOOK_BACK_MS
    let before: string | null = null
    for (let read = 0; read < EARLIER_MAX && !isClosed; read += EARLIER_AT_ONCE) {
      const posts = await selectEarlierTexts(db, { since, before, limit: EARLIER_AT_ONCE })
      for (const { id, actorId, content } of posts) {
        const rows = signText(content)
        if (actorId === null || rows === null) continue
        if (!recent.noteEarlier({ writer: hashOf(actorId), rows, at: timeOfUuid(id) })) return
      }
      if (posts.length < EARLIER_AT_ONCE) return
      before = posts.at(-1)!.id
    }
  }

  return {
    note(actorId, text) {
      if (text.length < LETTERS_MIN || !takeTurn()) return false
      const rows = signText(text)
      if (rows === null) return false
      const at = now()
      const writer = hashOf(actorId)
      bus?.publish('text', { writer, rows: [...rows] })
      return recent.note({ writer, rows, at }, at - LOOK_BACK_MS) >= OTHER_WRITERS
    },
    start() {
      // Visitors do not wait for it: a server that has just started knows little for a moment.
      reading = readEarlier().catch((error: unknown) => {
        log.warn({ err: error }, 'similar texts: the posts of the last day could not be read')
      })
    },
    settle: () => reading,
    close() {
      isClosed = true
      return reading
    },
  }
}

/** Of a random id: its last 32 bits. */
const hashOf = (actorId: string): number => Number.parseInt(actorId.slice(-8), 16) | 0
