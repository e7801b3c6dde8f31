/**
 * Imports logs into a category. Some threads at a time are written in one transaction with their
 * texts for the search, so that an import that was killed goes on where it was: what is there is
 * left as it is.
 */
import { foldForSearch } from '@shinobi/text/fold'
import type { Db } from '../db/client.ts'
import { inOneTransaction } from '../db/distribution.ts'
import { tally } from '../db/tallies.ts'
import { holdCategory } from '../features/categories/categories.queries.ts'
import { hasPostsOfVisitors, insertImportedPosts, type ImportedPost } from '../features/posts/imported-posts.queries.ts'
import { copyThreadHeads } from '../features/threads/thread-heads.ts'
import { openOlderBuckets, whileCollecting, type BulkIndex } from '../features/search/bulk-index.ts'
import { insertSearchDocuments } from '../features/search/search.queries.ts'
import {
  claimThreadKeys,
  insertImportedThreads,
  isImportedThread,
  lockImportedThread,
  selectThreadsOfKeys,
  updateImportedThread,
  type ThreadBefore,
} from '../features/threads/imported-threads.queries.ts'
import { readThread, type LoggedThread } from './read-thread.ts'
import { createReport, type Report } from './report.ts'
import type { LogSource } from './sources.ts'
import { addPosts, toThreadRows, type RowOptions, type ThreadRows } from './thread-rows.ts'

export interface ImportOptions extends RowOptions {
  readonly dryRun: boolean
  /** @param share of the files that were read, from 0 to 1 */
  readonly show: (what: string, share: number) => void
}

/** Another import is running, or the category is gone. */
export class ImportRefusal extends Error {}

/** Threads are collected until they have this many posts, and then written together. */
const BATCH_POSTS = 4_000
/** Lanes that write at the same time. A key has its lane, so that two logs of it come in order. */
const LANES = 2

/** @throws ImportRefusal, SourceError */
export async function importLogs(db: Db, source: LogSource, options: ImportOptions): Promise<Report> {
  const report = createReport()
  if (options.dryRun) {
    await importAll(db, source, options, report, { added: async () => {} })
    return report
  }
  const done = await whileCollecting(db, async (index) => {
    await importAll(db, source, options, report, index)
    return true
  })
  if (done === null) throw new ImportRefusal('Another import is running on this board.')
  return report
}

async function importAll(
  db: Db,
  source: LogSource,
  options: ImportOptions,
  report: Report,
  index: BulkIndex,
): Promise<void> {
  const { keys, files, titleOf } = await source.survey()
  if (!options.dryRun) {
    const times = keys.map((key) => key * 1_000)
    await openOlderBuckets(db, times, options.now)
  }
  const write = async (threads: readonly LoggedThread[]): Promise<void> =>
    index.added(await writeThreads(db, threads, options, report))
  const lanes = Array.from({ length: LANES }, () => openLane(write))
  try {
    let read = 0
    for await (const file of source.files()) {
      read += 1
      options.show(`${report.newPosts} posts in ${report.newThreads} threads`, read / Math.max(1, files))
      const thread = readThread(file, titleOf(file), report)
      if (thread !== null) await lanes[thread.key % LANES]!.add(thread)
    }
    await Promise.all(lanes.map((lane) => lane.finish()))
  } finally {
    await Promise.all(lanes.map((lane) => lane.settle()))
  }
}

/** Collects threads, and writes them batch by batch in their order while it goes on collecting. */
function openLane(write: (threads: readonly LoggedThread[]) => Promise<void>) {
  let batch = new Map<number, LoggedThread>()
  let posts = 0
  let writing = Promise.resolve()
  const flush = async (): Promise<void> => {
    const threads = [...batch.values()]
    batch = new Map()
    posts = 0
    await writing
    writing = write(threads)
    // A failure is told to whoever waits next.
    writing.catch(() => {})
  }
  return {
    async add(thread: LoggedThread): Promise<void> {
      if (batch.has(thread.key)) await flush()
      batch.set(thread.key, thread)
      posts += thread.posts.length
      if (posts >= BATCH_POSTS) await flush()
    },
    async finish(): Promise<void> {
      await flush()
      await writing
    },
    settle: async (): Promise<unknown> => Promise.allSettled([writing]),
  }
}

/** @returns the number of texts that were written for the search */
async function writeThreads(
  db: Db,
  threads: readonly LoggedThread[],
  options: ImportOptions,
  report: Report,
): Promise<number> {
  const { categoryId } = options
  const keys = threads.map(({ key }) => key)
  const known = await selectThreadsOfKeys(db, categoryId, keys)
  const fresh = threads.filter(({ key }) => !known.has(key)).map((logged) => toThreadRows(logged, options, report))
  if (options.dryRun)
    report.wrote(
      fresh.length,
      fresh.reduce((sum, { posts }) => sum + posts.length, 0),
    )
  let texts = fresh.length === 0 || options.dryRun ? 0 : await writeNew(db, fresh, options, report)
  const written = fresh.map(({ thread }) => thread.id)
  for (const logged of threads) {
    const threadId = known.get(logged.key)
    if (threadId === undefined) continue
    if (!isImportedThread(threadId, categoryId, logged.key)) {
      report.leaveOut('key_taken', logged.file)
      continue
    }
    written.push(threadId)
    texts += await goOn(db, threadId, logged, options, report)
  }
  await copyThreadHeads(db, written)
  return texts
}

/** Writes threads that are not there yet. */
async function writeNew(
  db: Db,
  rows: readonly ThreadRows[],
  { categoryId }: ImportOptions,
  report: Report,
): Promise<number> {
  const written = await inOneTransaction(db, async (tx) => {
    if (!(await holdCategory(tx, categoryId))) throw new ImportRefusal('The category is being deleted.')
    const claims = rows.map(({ key, thread }) => ({ key, threadId: thread.id }))
    // A visitor may open a thread of the same second now.
    const claimed = await claimThreadKeys(tx, categoryId, claims)
    const ours = rows.filter(({ key }) => claimed.has(key))
    if (ours.length === 0) return { ours, claimed, texts: 0 }
    await insertImportedThreads(
      tx,
      ours.map(({ thread }) => thread),
    )
    const posts = ours.flatMap((row) => row.posts)
    await writePosts(tx, posts)
    const titles = ours.map(({ thread: { id, title } }) => ({ threadId: id, number: 0, text: foldForSearch(title) }))
    await insertSearchDocuments(tx, titles)
    const threadIds = ours.map(({ thread }) => thread.id)
    await tally(tx, 'threads', threadIds, 1)
    await tallyPosts(tx, posts)
    return { ours, claimed, texts: posts.length + titles.length }
  })
  for (const { key, file } of rows) if (!written.claimed.has(key)) report.leaveOut('key_taken', file)
  report.wrote(
    written.ours.length,
    written.ours.reduce((sum, { posts }) => sum + posts.length, 0),
  )
  return written.texts
}

/** Posts in one statement: large enough for speed, small enough for a message of the protocol. */
const POSTS_AT_ONCE = 4_000

async function writePosts(tx: Db, posts: readonly ImportedPost[]): Promise<void> {
  for (let index = 0; index < posts.length; index += POSTS_AT_ONCE) {
    const some = posts.slice(index, index + POSTS_AT_ONCE)
    await insertImportedPosts(tx, some)
    const standing = some.filter(({ deletedAt }) => deletedAt === null)
    const texts = standing.map(({ threadId, number, content }) => ({ threadId, number, text: foldForSearch(content) }))
    await insertSearchDocuments(tx, texts)
  }
}

/** The last statement of a transaction: others wait for its rows. */
async function tallyPosts(tx: Db, posts: readonly ImportedPost[]): Promise<void> {
  const standing = posts.filter(({ deletedAt }) => deletedAt === null).map(({ id }) => id)
  await tally(tx, 'posts', standing, 1)
}

/** Two boards, or a log without a key, may have another thread of the same second. */
function isLogOf({ title, opening }: ThreadBefore, logged: LoggedThread): boolean {
  const [first] = logged.posts
  return title === logged.title && (opening === null || first!.removed || opening === first!.content)
}

/** Writes the posts that a thread of an earlier import lacks. */
async function goOn(db: Db, id: string, logged: LoggedThread, options: ImportOptions, report: Report): Promise<number> {
  const { file } = logged
  return inOneTransaction(db, async (tx) => {
    const before = await lockImportedThread(tx, id)
    if (before === undefined) report.leaveOut('removed', file)
    else if (!isLogOf(before, logged)) report.leaveOut('key_taken', file)
    else if (logged.posts.length <= before.postCount) report.kept()
    else if (await hasPostsOfVisitors(tx, id)) report.leaveOut('grown_here', file)
    else {
      const { posts, ...state } = addPosts(logged, { id, options, report, before })
      if (!options.dryRun) {
        await updateImportedThread(tx, id, state)
        await writePosts(tx, posts)
        await tallyPosts(tx, posts)
      }
      report.wrote(0, posts.length)
      return posts.length
    }
    return 0
  })
}
