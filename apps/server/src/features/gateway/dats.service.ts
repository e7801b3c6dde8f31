/**
 * The dats of threads: a line a post, in CP932. Clients ask for what is behind the bytes that they
 * have, so bytes that were sent never change their place: the length of a line is fixed when it is
 * first sent, and what becomes of the post later is fitted into it.
 */
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/client.ts'
import { createFairSemaphore, type FairSemaphore } from '../../lib/fair-semaphore.ts'
import { inSlices } from '../../lib/in-slices.ts'
import { lineOf } from './dat-lines.ts'
import { fixDatLengths, selectDatLengths, selectDatPosts, type DatPostRow, type DatThread } from './dats.queries.ts'

export interface Dat {
  readonly body: Buffer
  /**
   * Of the newest post or removal, in whole seconds. Each change has a date of its own, for clients
   * that compare nothing else: of several changes in a second the later ones are dated ahead.
   */
  readonly lastModified: Date
}

export interface Dats {
  /**
   * The dat of a thread. A thread that only got new posts since is not read again as a whole.
   * @param source where posts are read
   */
  read(source: Db, thread: DatThread): Promise<Dat>
  /**
   * Reading all posts of a thread costs a hundred times as much as another answer: few at a time.
   * @throws ApiError unavailable, too_many_requests
   */
  readonly inTurn: FairSemaphore
}

export interface DatsOptions {
  /** Where lengths are fixed. */
  readonly db: Db
  readonly log: Pick<FastifyBaseLogger, 'warn'>
  readonly now: () => number
  readonly config: { readonly publicUrl: string }
}

/** Dats in memory, for the next posts of their threads. */
const MEMORY_BYTES = 32 * 1024 * 1024

/** Threads read at a time, and waiting for that. */
const AT_ONCE = 2
const AT_ONCE_OF_ONE = 1
const WAITING = 40
const WAITING_OF_ONE = 10

/**
 * The longest line that is sent: twice a post of 4,000 characters. Posts of signs that CP932 lacks
 * would make dats of a hundred megabytes.
 */
const LINE_BYTES_MAX = 16_384

interface KnownDat extends Dat {
  /** Of its lines. */
  readonly bytes: readonly number[]
  /** Changes of the thread other than posts: they may have changed any line. */
  readonly changes: number
}

export function createDats({ db, log, now, config: { publicUrl } }: DatsOptions): Dats {
  const known = new LRUCache<string, KnownDat>({
    maxSize: MEMORY_BYTES,
    sizeCalculation: ({ body, bytes }) => body.length + bytes.length * 8 + 200,
  })

  async function read(source: Db, thread: DatThread): Promise<Dat> {
    const changes = thread.revision - thread.postCount
    const before = known.get(thread.id)
    // A load that began earlier may know less.
    const grown = before?.changes === changes && before.bytes.length <= thread.postCount ? before : undefined
    if (grown?.bytes.length === thread.postCount) return grown
    const fixed = grown?.bytes ?? (await selectDatLengths(db, thread.id))
    const rows = await selectDatPosts(source, thread.id, grown?.bytes.length ?? 0, thread.postCount)
    const { lines, bytes, isFixed } = await makeLines(thread, rows, fixed)
    const body = Buffer.concat([...(grown === undefined ? [] : [grown.body]), ...lines])
    const lastModified = lastChange(rows, { before, hasGrown: grown !== undefined, body, now: now() })
    const dat = { body, lastModified, bytes, changes }
    if (isFixed) known.set(thread.id, dat)
    return dat
  }

  /** Lines of posts, and the lengths of all lines up to them. */
  async function makeLines(thread: DatThread, rows: readonly DatPostRow[], fixed: readonly number[]) {
    const lineOfLength = (row: DatPostRow, length: number | undefined) =>
      lineOf(thread, row, publicUrl, { bytes: length, max: LINE_BYTES_MAX })
    const lines = await inSlices(rows.values().map((row) => lineOfLength(row, fixed[row.number - 1])))
    const fresh = rows.flatMap(({ number }, index) => (number > fixed.length ? [lines[index]!.length] : []))
    if (fresh.length === 0) return { lines, bytes: fixed.slice(0, thread.postCount), isFixed: true }
    const wanted = [...fixed, ...fresh]
    const holding = await fix(thread.id, wanted)
    if (holding === null) return { lines, bytes: wanted, isFixed: false }
    // Another server sent other lines before, for example of a post that was removed meanwhile.
    const fitted = rows.map((row, index) => {
      const length = holding[row.number - 1]
      return length === lines[index]!.length ? lines[index]! : lineOfLength(row, length)
    })
    return { lines: fitted, bytes: holding.slice(0, wanted.length), isFixed: true }
  }

  /**
   * A board that cannot write is still read: its lines have their natural lengths meanwhile.
   * @returns null then
   */
  async function fix(threadId: string, bytes: readonly number[]): Promise<readonly number[] | null> {
    try {
      return await fixDatLengths(db, threadId, bytes)
    } catch (error) {
      log.warn({ err: error }, 'could not fix the lengths of the lines of a dat')
      return null
    }
  }

  return {
    read,
    inTurn: createFairSemaphore({
      ...{ places: AT_ONCE, placesOfOne: AT_ONCE_OF_ONE },
      ...{ waitingMax: WAITING, waitingMaxOfOne: WAITING_OF_ONE },
    }),
  }
}

/**
 * The date of the newest change, from the rows that were read. Lines that change without a time of
 * their own (a post that is restored, a corrected text) change now.
 */
function lastChange(rows: readonly DatPostRow[], { before, hasGrown, body, now }: Change): Date {
  const known = before?.lastModified.getTime() ?? 0
  let date = hasGrown ? known : 0
  const times = rows.flatMap(({ createdAt, deletedAt }) => [createdAt, ...(deletedAt === null ? [] : [deletedAt])])
  // In the order of the changes, so that a server that reads all at once comes to the same date.
  const inOrder = times.map((time) => time.getTime()).toSorted((one, other) => one - other)
  for (const time of inOrder) date = Math.max(toSecond(time), date + 1_000)
  const isUndated = before !== undefined && date <= known && !body.equals(before.body)
  return new Date(isUndated ? Math.max(toSecond(now), known + 1_000) : Math.max(known, date))
}

interface Change {
  /** The last dat that was read. */
  readonly before: KnownDat | undefined
  /** Whether only posts were added since. */
  readonly hasGrown: boolean
  readonly body: Buffer
  readonly now: number
}

const toSecond = (time: number): number => Math.floor(time / 1_000) * 1_000
