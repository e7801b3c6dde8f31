/**
 * Placement of each table after `npm run db:distribute` has distributed the board over a Citus
 * cluster. Without Citus it has no effect. docs/scaling.md gives the reasons in full.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'

/**
 * - a column: rows are distributed over the workers by its hash. It is a thread's id in all tables,
 *   so that all rows of a thread are on one worker, and one statement can write them.
 * - `copied` (Citus: reference table): every server has all rows. For small or rarely changed
 *   tables that are joined with distributed ones.
 * - `coordinator`: an ordinary table of the server that the board connects to. It is never joined
 *   with more than a few rows of distributed tables.
 */
export type Placement = { readonly spreadBy: 'id' | 'threadId' } | 'copied' | 'coordinator'

const BY_THREAD = { spreadBy: 'threadId' } as const

export const distribution: Readonly<Record<keyof Tables, Placement>> = {
  // Tables that grow with posts.
  threads: { spreadBy: 'id' },
  posts: BY_THREAD,
  searchDocuments: BY_THREAD,
  nicknames: BY_THREAD,
  rooms: BY_THREAD,
  threadLikes: BY_THREAD,
  postLikes: BY_THREAD,
  reports: BY_THREAD,
  cases: BY_THREAD,
  traces: BY_THREAD,
  ownerActions: BY_THREAD,
  datLengths: BY_THREAD,

  // Joined with them.
  categories: 'copied',
  users: 'copied',
  searchBuckets: 'copied',
  mutedReporters: 'copied',
  traceOrders: 'copied',

  // Unique by something other than the thread: a client's id, a name, a mail address, a token.
  threadRequests: 'coordinator',
  threadKeys: 'coordinator',
  userNames: 'coordinator',
  sessions: 'coordinator',
  mailTokens: 'coordinator',
  mails: 'coordinator',
  secondFactors: 'coordinator',
  moderators: 'coordinator',
  departures: 'coordinator',
  // About a member, and always asked for by the member.
  notebookEntries: 'coordinator',
  hidingRules: 'coordinator',
  // About a browser; its posts are read thread by thread.
  pushBrowsers: 'coordinator',
  pushWatches: 'coordinator',
  pushWords: 'coordinator',
  pushNotices: 'coordinator',
  // A held thread has no id yet, and a hash needs one.
  heldPosts: 'coordinator',
  // So that lists are read from one server.
  threadHeads: 'coordinator',
  // One row for the whole board, or counters that all threads share.
  settings: 'coordinator',
  revisions: 'coordinator',
  tallies: 'coordinator',
  imageTotals: 'coordinator',
  bannedWords: 'coordinator',
  dayKeys: 'coordinator',
  shields: 'coordinator',
  // About people and actions, not about a thread; deleted by age, or (the log) protected by a
  // trigger, which only an ordinary table may have.
  auditLog: 'coordinator',
  bans: 'coordinator',
  origins: 'coordinator',
  proofs: 'coordinator',
  proofCodes: 'coordinator',
  levels: 'coordinator',
  levelPhrases: 'coordinator',
  levelMoves: 'coordinator',
  newsSources: 'coordinator',
  newsStories: 'coordinator',
  newsArticles: 'coordinator',
  newsCalls: 'coordinator',
}

const answers = new WeakMap<object, Promise<boolean>>()

/**
 * Whether threads and posts are distributed over a Citus cluster. It is queried once per database,
 * so a running server must be restarted after the distribution.
 */
export function isDistributed(db: Db): Promise<boolean> {
  const { adapter } = db.getExecutor()
  // Transactions and single connections of a database share its adapter, so the adapter is the key.
  let answer = answers.get(adapter)
  if (answer === undefined) {
    answer = askWhetherDistributed(db)
    answers.set(adapter, answer)
    answer.catch(() => answers.delete(adapter))
  }
  return answer
}

async function askWhetherDistributed(db: Db): Promise<boolean> {
  const citus = await sql`select where to_regclass('pg_catalog.pg_dist_partition') is not null`.execute(db)
  if (citus.rows.length === 0) return false
  const { rows } = await sql`
    select from pg_dist_partition where logicalrelid = to_regclass('posts') and partmethod = 'h'`.execute(db)
  return rows.length > 0
}

/**
 * Writes for several threads in one statement; on a cluster, in one statement per thread in the
 * order of their ids, in one transaction, because there a statement that locks rows or writes to
 * several tables must concern a single thread.
 * @param write gets the thread, for `isThread`; null for all
 */
export async function writeByThread<T extends { readonly threadId: string }, R>(
  db: Db,
  items: readonly T[],
  write: (db: Db, items: readonly T[], only: string | null) => Promise<readonly R[]>,
): Promise<R[]> {
  if (!(await isDistributed(db))) return [...(await write(db, items, null))]
  const byThread = Map.groupBy(items, ({ threadId }) => threadId)
  return inOneTransaction(db, async (tx) => {
    const results: R[] = []
    for (const threadId of [...byThread.keys()].toSorted()) {
      results.push(...(await write(tx, byThread.get(threadId)!, threadId)))
    }
    return results
  })
}

/**
 * SQL: whether a column names the thread of the statement; true for a statement about all threads.
 */
export const isThread = (column: string, only: string | null): RawBuilder<boolean> =>
  only === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${only}::uuid`

/**
 * SQL: locks the row of a reference table against deletion until the end of the transaction. On a
 * cluster the lock is exclusive, because two transactions with shared locks could wait for each
 * other.
 */
export const keyShare = async (tx: Db): Promise<RawBuilder<unknown>> =>
  (await isDistributed(tx)) ? sql`for update` : sql`for key share`

/**
 * For a transaction that reads distributed tables and then changes a reference table: Citus refuses
 * the change unless the transaction uses one connection per worker. Call it before anything is
 * read.
 */
export async function prepareToChangeCopied(tx: Db): Promise<void> {
  if (await isDistributed(tx)) await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
}

/** Runs work in the current transaction, or else in a new one. */
export const inOneTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
