/**
 * Work by shard. On a cluster, a statement about threads of one shard is a single worker's, as on
 * one PostgreSQL: it may lock rows and write to a table as it likes, it keeps its error codes, and
 * its transaction is committed in one phase. Citus recognises such a statement if `isOneOf` limits
 * each distributed table in it. One PostgreSQL counts as one shard.
 */
import { sql, type RawBuilder } from 'kysely'
import { createLru } from '../lib/lru.ts'
import type { Db } from './client.ts'
import { isDistributed } from './distribution.ts'

/**
 * A piece of the distributed tables, and the worker that has it. Both are empty on one PostgreSQL.
 */
export interface Shard {
  readonly id: string
  readonly worker: string
}

/** Threads whose shard is cached, so that only the first post of a thread queries the database. */
const THREADS_REMEMBERED = 50_000
/**
 * After a shard was split, a server may write posts to its threads singly for this long; after one
 * was moved, its posts may wait for those of its former worker.
 */
const REMEMBERED_MS = 600_000
const UNDIVIDED: Shard = { id: '', worker: '' }

/** A thread's shard, from when it is asked for. */
interface Asked {
  readonly answer: Promise<Shard>
  isAnswered: boolean
}

const openCache = () => createLru<string, Asked>(THREADS_REMEMBERED, { ttl: REMEMBERED_MS })
const caches = new WeakMap<object, ReturnType<typeof openCache>>()

/** The shard of a thread. Calls for the same thread are answered in their order. */
export async function shardOf(db: Db, threadId: string): Promise<Shard> {
  if (!(await isDistributed(db))) return UNDIVIDED
  return shardOfEach(db, [threadId]).get(threadId)!
}

/** Groups items by the shard of their threads. */
export async function groupByShard<T extends { readonly threadId: string }>(
  db: Db,
  items: readonly T[],
): Promise<T[][]> {
  if (!(await isDistributed(db))) return items.length === 0 ? [] : [[...items]]
  const answers = shardOfEach(
    db,
    items.map(({ threadId }) => threadId),
  )
  const shards = new Map<string, string>()
  for (const [threadId, shard] of answers) shards.set(threadId, (await shard).id)
  return [...Map.groupBy(items, ({ threadId }) => shards.get(threadId)!).values()]
}

function shardOfEach(db: Db, threadIds: readonly string[]): Map<string, Promise<Shard>> {
  const { adapter } = db.getExecutor()
  const shards = caches.get(adapter) ?? openCache()
  caches.set(adapter, shards)
  // The question of another may still wait for a connection, and all of them for what a transaction
  // has locked: it asks by itself rather than wait for that.
  const known = (threadId: string): Asked | undefined => {
    const asked = shards.get(threadId)
    return asked?.isAnswered === true || !db.isTransaction ? asked : undefined
  }
  const unknown = new Set(threadIds.filter((threadId) => known(threadId) === undefined))
  const answers = unknown.size === 0 ? null : askForShards(db, [...unknown])
  const fresh = new Map<string, Asked>()
  for (const threadId of unknown) {
    const asked: Asked = { answer: answers!.then((found) => found.get(threadId)!), isAnswered: false }
    fresh.set(threadId, asked)
    // One that others wait for stays, so that they are answered in their order.
    if (shards.get(threadId) === undefined) shards.set(threadId, asked)
    asked.answer.then(
      () => (asked.isAnswered = true),
      () => shards.get(threadId) === asked && shards.delete(threadId),
    )
  }
  return new Map(threadIds.map((threadId) => [threadId, (fresh.get(threadId) ?? shards.get(threadId)!).answer]))
}

async function askForShards(db: Db, threadIds: readonly string[]): Promise<Map<string, Shard>> {
  const { rows } = await sql<Shard & { threadId: string }>`
    select "threadId", shardid::text as id, groupid::text as worker
    from unnest(${threadIds}::uuid[]) as "threadId"
    join pg_dist_placement on shardid = get_shard_id_for_distribution_column('threads'::regclass, "threadId")`.execute(
    db,
  )
  return new Map(rows.map(({ threadId, ...shard }) => [threadId, shard]))
}

/**
 * SQL: whether a column of a distributed table names one of the threads of a statement. Citus finds
 * their shard from an array, not from a subquery; each table of the statement needs it, those of
 * its subqueries too, or all workers are asked.
 */
export const isOneOf = (column: string, threadIds: readonly string[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${threadIds}::uuid[])`

/** An item of a thread, or a post or a text with its number in the thread. */
interface Item {
  readonly threadId: string
  readonly number?: number
}

/**
 * SQL: limits a column to the threads of a statement; for posts and their texts the column of their
 * numbers too, because a worker that only knows the threads may read all of their posts.
 */
type Limit = (threadColumn: string, numberColumn?: string) => RawBuilder<boolean>

/** The limit of a statement about items of one shard; true on one PostgreSQL, which needs none. */
export async function limitTo(db: Db, items: readonly Item[]): Promise<Limit> {
  if (!(await isDistributed(db))) return () => sql<boolean>`true`
  const threadIds = [...new Set(items.map(({ threadId }) => threadId))]
  const numbers = [...new Set(items.flatMap(({ number = [] }) => number))]
  return (threadColumn, numberColumn) => {
    const ofThreads = isOneOf(threadColumn, threadIds)
    if (numberColumn === undefined) return ofThreads
    return sql<boolean>`${ofThreads} and ${sql.ref(numberColumn)} = any(${numbers}::integer[])`
  }
}

/**
 * Sends a statement for the items of each shard; on one PostgreSQL, once for all, without limits.
 */
export async function sendByShard<T extends Item, R>(
  db: Db,
  items: readonly T[],
  send: (items: readonly T[], limit: Limit) => Promise<{ readonly rows: R[] }>,
): Promise<R[]> {
  const rows: R[] = []
  for (const group of await groupByShard(db, items)) rows.push(...(await send(group, await limitTo(db, group))).rows)
  return rows
}
