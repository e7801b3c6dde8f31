/**
 * The dats of threads: a line a post, in CP932. Clients ask for what is behind the bytes that they
 * have, so bytes that were sent never change their place: the length of a line is fixed when it is
 * first sent, and what becomes of the post later is fitted into it.
 */
import type { FastifyBaseLogger } from 'fastify'
import { LRUCache } from 'lru-cache'
import type { Db } from '../../db/client.ts'
import { lineOf } from './dat-lines.ts'
import { fixDatLengths, selectDatLengths, selectDatPosts, type DatPostRow, type DatThread } from './dats.queries.ts'

export interface Dat {
  readonly body: Buffer
  /** Of the newest post or removal, in whole seconds. */
  readonly lastModified: Date
}

export interface Dats {
  /**
   * The dat of a thread. A thread that only got new posts since is not read again as a whole.
   * @param source where posts are read
   */
  read(source: Db, thread: DatThread): Promise<Dat>
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
    const added = await makeLines(thread, rows, fixed)
    const body = Buffer.concat([...(grown === undefined ? [] : [grown.body]), ...added.lines])
    const lastModified = lastChange(rows, grown ?? before, body, now())
    const dat = { body, lastModified, bytes: added.bytes, changes }
    known.set(thread.id, dat)
    return dat
  }

  /** Lines of posts, and the lengths of all lines up to them. */
  async function makeLines(
    thread: DatThread,
    rows: readonly DatPostRow[],
    fixed: readonly number[],
  ): Promise<{ lines: Buffer[]; bytes: readonly number[] }> {
    const lines = rows.map((row) => lineOf(thread, row, publicUrl, fixed[row.number - 1]))
    const fresh = rows.flatMap(({ number }, index) => (number > fixed.length ? [lines[index]!.length] : []))
    if (fresh.length === 0) return { lines, bytes: fixed.slice(0, thread.postCount) }
    const wanted = [...fixed, ...fresh]
    const holding = await fix(thread.id, wanted)
    // Another server sent other lines before, for example of a post that was removed meanwhile.
    const fitted = rows.map((row, index) => {
      const length = holding[row.number - 1]
      return length === lines[index]!.length ? lines[index]! : lineOf(thread, row, publicUrl, length)
    })
    return { lines: fitted, bytes: holding.slice(0, wanted.length) }
  }

  /** A board that cannot write is still read: its lines have their natural lengths meanwhile. */
  async function fix(threadId: string, bytes: readonly number[]): Promise<readonly number[]> {
    try {
      return await fixDatLengths(db, threadId, bytes)
    } catch (error) {
      log.warn({ err: error }, 'could not fix the lengths of the lines of a dat')
      return bytes
    }
  }

  return { read }
}

/**
 * The time of the newest change. Lines that change without a time of their own (a post that is
 * restored, a corrected text) change now.
 */
function lastChange(rows: readonly DatPostRow[], before: Dat | undefined, body: Buffer, now: number): Date {
  const times = rows.map(({ createdAt, deletedAt }) => Math.max(createdAt.getTime(), deletedAt?.getTime() ?? 0))
  const newest = Math.max(0, ...times)
  const known = before?.lastModified.getTime() ?? 0
  const isOlder = before !== undefined && newest <= known && !body.equals(before.body)
  return new Date(Math.floor((isOlder ? Math.max(known, now) : Math.max(known, newest)) / 1_000) * 1_000)
}
