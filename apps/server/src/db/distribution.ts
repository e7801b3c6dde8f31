/**
 * Where the rows of each table lie once `npm run db:distribute` has spread the board over a Citus cluster. On one PostgreSQL
 * nothing of this applies. docs/scaling.md tells the reasons at length.
 */
import { sql, type RawBuilder } from 'kysely'
import type { Db } from './client.ts'
import type { Tables } from './tables.ts'

/**
 * - a column: rows are spread over the workers by its hash. It holds a thread's id in all of them, so that whatever belongs to one thread
 *   lies on one worker and is written there by one statement.
 * - `copied` (Citus: reference table): every server holds all rows. Small or seldom changed, and joined with what is spread.
 * - `coordinator`: an ordinary table of the server that the board connects to. Never joined with more than a few rows of what is spread.
 */
export type Placement = { readonly spreadBy: 'id' | 'threadId' } | 'copied' | 'coordinator'

const BY_THREAD = { spreadBy: 'threadId' } as const

export const distribution: Readonly<Record<keyof Tables, Placement>> = {
  // What grows with posts.
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

  // Joined with them.
  categories: 'copied',
  users: 'copied',
  searchBuckets: 'copied',
  mutedReporters: 'copied',
  traceOrders: 'copied',

  // Unique by something else than the thread: a client's id, a name, a mail address, a token.
  threadRequests: 'coordinator',
  userNames: 'coordinator',
  sessions: 'coordinator',
  mailTokens: 'coordinator',
  mails: 'coordinator',
  secondFactors: 'coordinator',
  moderators: 'coordinator',
  departures: 'coordinator',
  // A thread that is held has no id yet, and a hash needs one.
  heldPosts: 'coordinator',
  // One row each for the whole board, or counters that all threads share.
  settings: 'coordinator',
  revisions: 'coordinator',
  tallies: 'coordinator',
  imageTotals: 'coordinator',
  bannedWords: 'coordinator',
  shields: 'coordinator',
  // About people and what was done, not about a thread; deleted by age, or (the log) kept by a trigger that only an ordinary table may have.
  auditLog: 'coordinator',
  bans: 'coordinator',
  origins: 'coordinator',
  knownVisitors: 'coordinator',
  newsSources: 'coordinator',
  newsStories: 'coordinator',
  newsArticles: 'coordinator',
  newsCalls: 'coordinator',
}

const answers = new WeakMap<object, Promise<boolean>>()

/**
 * Whether threads and posts are spread over a Citus cluster: asked once for each database, so a server that runs while they are being
 * spread has to be started again.
 */
export function isDistributed(db: Db): Promise<boolean> {
  const { adapter } = db.getExecutor()
  // Transactions and single connections of a database share its adapter.
  let answer = answers.get(adapter)
  if (answer === undefined) {
    answer = askWhetherDistributed(db)
    answers.set(adapter, answer)
    answer.catch(() => answers.delete(adapter))
  }
  return answer
}

async function askWhetherDistributed(db: Db): Promise<boolean> {
  const citus = await sql`select from pg_extension where extname = 'citus'`.execute(db)
  if (citus.rows.length === 0) return false
  const { rows } = await sql`
    select from pg_dist_partition where logicalrelid = to_regclass('posts') and partmethod = 'h'`.execute(db)
  return rows.length > 0
}

/**
 * Writes for several threads: in one statement; over a cluster in one for each thread, by their ids, in one transaction. A statement that
 * locks rows, or writes to several tables at once, may only be about one thread there.
 * @param write is told which thread that is, for `isThread`; null for all
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

/** SQL: whether a column names the only thread that a statement is about; true where it is about any. */
export const isThread = (column: string, only: string | null): RawBuilder<boolean> =>
  only === null ? sql<boolean>`true` : sql<boolean>`${sql.ref(column)} = ${only}::uuid`

/**
 * SQL: locks the row of a table that is copied, so that it is not deleted until the transaction ends. Of two who share one over a cluster
 * each may wait for the other's share, so that there it is one after the other.
 */
export const keyShare = async (tx: Db): Promise<RawBuilder<unknown>> =>
  (await isDistributed(tx)) ? sql`for update` : sql`for key share`

/**
 * For a transaction that changes a table which is copied after it has read what is spread: it must go over one connection to each worker,
 * or Citus refuses the change. Called before anything is read.
 */
export async function prepareToChangeCopied(tx: Db): Promise<void> {
  if (await isDistributed(tx)) await sql`set local citus.multi_shard_modify_mode = 'sequential'`.execute(tx)
}

/** Runs work in the transaction that is under way, or else in one of its own. */
export const inOneTransaction = <T>(db: Db, work: (tx: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
