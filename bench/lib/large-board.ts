/**
 * Fills a board of any size, for figures that must not grow with it: threads and posts of three
 * months with natural text, the search index as its indexer writes it, members, rooms, cases,
 * reports, bans, held posts and the log. Rows are written by COPY, without the server; indexes are
 * built afterwards.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { foldForSearch } from '@shinobi/text/fold'
import { migrateToLatest } from '../../apps/server/src/db/migrate.ts'
import type { Tables } from '../../apps/server/src/db/tables.ts'
import { recount } from '../../apps/server/src/db/tallies.ts'
import { gramsOf, packGrams } from '../../apps/server/src/features/search/search.grams.ts'
import { onEnd } from './cleanup.ts'
import { naturalText } from './natural-text.ts'
import { random } from './text.ts'

/** Posts per thread, including the opening post. */
export const POSTS_A_THREAD = 10
const DAY_MS = 86_400_000
const DAYS = 90
/** Threads per bucket of the search index, as the indexer opens them. */
const BUCKET_THREADS = 1_024
/** A post goes into a recent thread: the mean distance to the newest one. */
const NEARNESS = 2_000
const MEMBERS_SHARE = 10
const ROOMS_A_MEMBER = 25

export interface LargeBoard {
  readonly url: string
  readonly posts: number
}

interface Filling {
  readonly url: string
  readonly posts: number
  /** Folder with psql. */
  readonly programs: string
  readonly say: (progress: string) => void
}

/** Fills an empty database; one that contains a board is left as it is. */
export async function fillLargeBoard({ url, posts, programs, say }: Filling): Promise<void> {
  await withPool(url, async (pool, db) => {
    await migrateToLatest(db)
    const { rows } = await pool.query('select 1 from threads limit 1')
    if (rows.length > 0) return
    const start = performance.now()
    const tell = (what: string): void =>
      say(
        `filling ${posts.toLocaleString('en-US')} posts, ${Math.round((performance.now() - start) / 1_000)} s: ${what}`,
      )
    const { rows: indexes } = await pool.query<{ name: string; definition: string }>(
      `select indexname as name, indexdef as definition from pg_indexes
       where tablename in ('posts', 'threads', 'searchDocuments', 'rooms', 'users') and indexname not like '%_pkey' and indexname not like '%_key'`,
    )
    for (const { name } of indexes) await pool.query(`drop index ${name}`)
    const categories = await pool.query<{ id: string }>('select id from categories order by position')
    await copyTexts({ url, posts, programs, tell, categoryIds: categories.rows.map(({ id }) => id) })
    // The search index takes one core for most of the time; everything else uses the other.
    const isSearch = ({ name }: { readonly name: string }): boolean => name.startsWith('search_')
    const build = ({ definition }: { readonly definition: string }): Promise<unknown> => pool.query(definition)
    const searchIndexes = Promise.all(indexes.filter(isSearch).map(build))
    for (const [what, statement] of theRest(posts)) {
      tell(what)
      await pool.query(statement)
    }
    tell('indexes')
    for (const index of indexes) if (!isSearch(index)) await build(index)
    tell('the search index')
    await searchIndexes
    tell('tallies')
    await db.transaction().execute(recount)
    tell('vacuum analyze')
    await sql`vacuum analyze`.execute(db)
    // Marks the index as swept; otherwise the server's sweep would compare every post with the
    // index during the measurement.
    const swept = JSON.stringify({ through: Date.now() })
    await pool.query(`insert into settings (key, value) values ('search.swept', $1::text::jsonb)`, [swept])
    await pool.query('checkpoint')
  })
}

/** Columns of a thread that posting changes. */
const WRITTEN_COLUMNS = ['postCount', 'lastPostAt', 'heat', 'rankedPosts', 'rankedLikes', 'rankedHeat', 'rankedPostAt']
/** Copy of the threads before posts were written to them. */
const BEFORE = 'bench_threads_before'

/**
 * Stores the state of threads before a measurement writes to them. Leftovers of an earlier,
 * interrupted bench are removed first.
 */
export async function noteThreads(url: string, threadIds: readonly string[]): Promise<void> {
  await takeBack(url)
  await withPool(url, async (pool) => {
    await pool.query(`create table ${BEFORE} as select * from threads where id = any($1::uuid[])`, [threadIds])
  })
}

/**
 * Removes everything written since then, so that the next measurement finds the board as it was
 * filled.
 */
export async function takeBack(url: string): Promise<void> {
  await withPool(url, async (pool, db) => {
    const { rows } = await pool.query<{ isThere: boolean }>(`select to_regclass($1) is not null as "isThere"`, [BEFORE])
    if (!rows[0]!.isThere) return
    for (const table of ['"searchDocuments"', 'posts']) {
      await pool.query(
        `delete from ${table} as written using ${BEFORE} as before where written."threadId" = before.id and number > before."postCount"`,
      )
    }
    const columns = WRITTEN_COLUMNS.map((column) => `"${column}" = before."${column}"`).join(', ')
    await pool.query(`update threads set ${columns} from ${BEFORE} as before where threads.id = before.id`)
    await db.transaction().execute(recount)
    await pool.query('vacuum analyze posts, threads, "searchDocuments"')
    await pool.query(`drop table ${BEFORE}`)
    await pool.query('checkpoint')
  })
}

export async function withPool(url: string, work: (pool: pg.Pool, db: Kysely<Tables>) => Promise<void>): Promise<void> {
  // Without the server's time-outs.
  const pool = new pg.Pool({ connectionString: url, max: 2, options: '-c maintenance_work_mem=1GB -c work_mem=128MB' })
  pool.on('error', () => {})
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  try {
    await work(pool, db)
  } finally {
    await db.destroy()
  }
}

interface Thread {
  readonly opened: number
  readonly id: string
}

/** Writes threads, posts and index by psql, in chronological order. */
async function copyTexts({
  url,
  posts,
  programs,
  tell,
  categoryIds,
}: Omit<Filling, 'say'> & {
  readonly tell: (what: string) => void
  readonly categoryIds: readonly string[]
}): Promise<void> {
  const next = random(7)
  const end = Date.now()
  const timeOf = (post: number): number => momentOf(post, posts, end)
  const threads = Math.floor(posts / POSTS_A_THREAD)
  const opened: Thread[] = Array.from({ length: threads }, (_, thread) => {
    const at = timeOf(thread * POSTS_A_THREAD)
    return { opened: at, id: idOf(at, thread * POSTS_A_THREAD) }
  })
  // The thread of each post is chosen first, because a thread's row contains its final counts.
  const places = new Int32Array(posts)
  const sizes = new Int32Array(threads)
  const last = new Int32Array(threads)
  for (let post = 0; post < posts; post += 1) {
    const newest = Math.min(threads - 1, Math.floor(post / POSTS_A_THREAD))
    const isOpening = post % POSTS_A_THREAD === 0 && post / POSTS_A_THREAD < threads
    const thread = isOpening ? newest : Math.max(0, newest - Math.floor(-Math.log(1 - next()) * NEARNESS))
    places[post] = thread
    sizes[thread]! += 1
    last[thread] = post
  }

  const copy = (table: string, columns: string): CopyInto => copyInto({ url, programs, table, columns })
  const into = {
    threads: copy(
      'threads',
      'id, "categoryId", title, excerpt, nickname, "visitorId", "createdAt", "lastPostAt", "postCount", revision, heat, "rankedPosts", "rankedHeat", "rankedPostAt"',
    ),
    posts: copy('posts', '"threadId", number, id, name, content, "visitorId", "createdAt", "deletedAt"'),
    documents: copy('"searchDocuments"', '"threadId", number, text, grams'),
    buckets: copy('"searchBuckets"', 'bucket, "firstThreadId"'),
  }
  const index = async (thread: number, number: number, text: string): Promise<void> => {
    const folded = foldForSearch(text)
    const grams = packGrams(1 + Math.floor(thread / BUCKET_THREADS), gramsOf(folded)).join(',')
    await into.documents.add([opened[thread]!.id, number, folded, `{${grams}}`])
  }
  const written = new Int32Array(threads)
  for (let post = 0; post < posts; post += 1) {
    const thread = places[post]!
    const { id, opened: at } = opened[thread]!
    const number = (written[thread]! += 1)
    const text = naturalText(next, 8 + Math.floor(next() ** 3 * 100))
    const name = `忍${post % 997}`
    const visitor = idOf(end, post % 50_021)
    const time = timeOf(post)
    const isRemoved = post % 333 === 1
    if (number === 1) {
      const title = naturalText(next, 12 + Math.floor(next() * 25)).replaceAll('\n', ' ')
      const size = sizes[thread]!
      const heat = at / (DAY_MS / 2) + Math.log2(size)
      await into.threads.add([
        ...[id, categoryIds[thread % categoryIds.length]!, title, text.slice(0, 200), name, visitor],
        ...[iso(at), iso(timeOf(last[thread]!)), size, size, heat, size, heat, iso(timeOf(last[thread]!))],
      ])
      if (thread % BUCKET_THREADS === 0 && thread > 0) await into.buckets.add([1 + thread / BUCKET_THREADS, id])
      await index(thread, 0, title)
    }
    const postId = number === 1 ? id : idOf(time, post)
    await into.posts.add([id, number, postId, name, text, visitor, iso(time), isRemoved ? iso(time + 60_000) : null])
    if (!isRemoved) await index(thread, number, text)
    if (post % 100_000 === 0) tell(`texts ${Math.floor((100 * post) / posts)} %`)
  }
  for (const one of Object.values(into)) await one.end()
}

/** Milliseconds of the n-th post: spread over the days, four times as dense by day as by night. */
const momentOf = (post: number, of: number, end: number): number =>
  Math.floor(
    end -
      60_000 -
      DAYS * DAY_MS * (1 - post / of) +
      (DAY_MS / (2 * Math.PI)) * 0.6 * Math.sin((2 * Math.PI * DAYS * post) / of),
  )

const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0')

/** A UUIDv7 for a time; the number makes it unique and mostly keeps the order. */
const idOf = (time: number, n: number): string => {
  const at = hex(time, 12)
  const mixed = Math.imul(n, 2_654_435_761) >>> 0
  return `${at.slice(0, 8)}-${at.slice(8)}-7${hex(n % 4_096, 3)}-8${hex(mixed % 4_096, 3)}-${hex(n, 12)}`
}

const iso = (time: number): string => new Date(time).toISOString()

interface CopyInto {
  add(row: readonly (string | number | null)[]): Promise<void>
  end(): Promise<void>
}

const CHUNK_CHARACTERS = 64 * 1_024

/** Copies rows into a table, as fast as PostgreSQL accepts them. */
function copyInto({
  url,
  programs,
  table,
  columns,
}: {
  readonly url: string
  readonly programs: string
  readonly table: string
  readonly columns: string
}): CopyInto {
  const statement = `copy ${table} (${columns}) from stdin`
  const child = spawn(join(programs, 'psql'), ['-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d', url, '-c', statement], {
    stdio: ['pipe', 'ignore', 'pipe'],
  })
  const forget = onEnd(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  child.stdin.on('error', () => {})
  const closed = once(child, 'close')
  let chunk = ''
  const send = async (): Promise<void> => {
    if (child.exitCode !== null) throw new Error(`could not copy into ${table}: ${said}`)
    const hasRoom = child.stdin.write(chunk)
    chunk = ''
    if (!hasRoom) await Promise.race([once(child.stdin, 'drain'), closed])
  }
  return {
    async add(row) {
      chunk += `${row.map(toField).join('\t')}\n`
      if (chunk.length >= CHUNK_CHARACTERS) await send()
    },
    async end() {
      await send()
      child.stdin.end()
      await closed
      forget()
      if (child.exitCode !== 0) throw new Error(`could not copy into ${table}: ${said}`)
    },
  }
}

const toField = (value: string | number | null): string =>
  value === null
    ? '\\N'
    : typeof value === 'number'
      ? String(value)
      : value.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t')

/** Tables that grow with the posts and have no relevant text: filled by SQL alone. */
function theRest(posts: number): [what: string, statement: string][] {
  const members = Math.ceil(posts / POSTS_A_THREAD / MEMBERS_SHARE)
  const spread = (of: number): string => `(
    ${Date.now() - 60_000}::float8 - ${DAYS * DAY_MS}::float8 * (1 - n::float8 / ${of}))::bigint`
  const newId = `(lpad(to_hex(ms), 12, '0') || '7' || lpad(to_hex(n % 4096), 3, '0') || '8' || substr(md5(n::text), 1, 15))::uuid`
  const series = (of: number): string =>
    `(select n, ${spread(of)} as ms, to_timestamp(${spread(of)} / 1000.0) as at from generate_series(1, ${of}) as n) as one`
  return [
    [
      'members',
      `insert into users (id, name, email, "emailKey", "createdAt")
       select ${newId}, 'member' || n, 'member' || n || '@example.jp', 'member' || n || '@example.jp', at from ${series(members)}`,
    ],
    ['their names', `insert into "userNames" (name, "userId") select name, id from users`],
    [
      'numbers of threads',
      `create unlogged table numbered as select id, "categoryId", row_number() over (order by id) - 1 as thread from threads;
       alter table numbered add primary key (thread)`,
    ],
    [
      'rooms',
      `insert into rooms ("userId", "threadId", "lastPostAt")
       select u.id, t.id, now() - random() * interval '${DAYS} days'
       from users as u cross join generate_series(1, ${ROOMS_A_MEMBER}) as k
       join numbered as t on t.thread = abs(hashtext(u.id::text || k)) % ${Math.floor(posts / POSTS_A_THREAD)}
       on conflict do nothing`,
    ],
    [
      'removed threads',
      `update threads set "removedAt" = now() where id in (select id from numbered where thread % 5000 = 77)`,
    ],
    [
      'cases',
      `insert into cases ("threadId", "postId", number, "categoryId", status, reports, voices, "createdAt", "decidedAt", decision)
       select p."threadId", p.id, number, t."categoryId", case when number % 5 = 0 then 'open' else 'closed' end, 1 + number % 7, 1 + number % 7,
         p."createdAt", case when number % 5 = 0 then null else p."createdAt" end, case when number % 5 = 0 then null else 'dismiss' end
       from posts as p tablesample system (1) repeatable (1) join threads as t on t.id = p."threadId"`,
    ],
    [
      'reports',
      `insert into reports ("threadId", id, "postId", reporter, reason, evidence, "createdAt", voice)
       select c."threadId", gen_random_uuid(), c."postId", gen_random_uuid(), '荒らしです',
         '{"number":1,"name":null,"content":"草","imageKey":null,"seen":"草"}', c."createdAt", 'voice ' || k
       from cases as c cross join lateral generate_series(1, c.reports) as k`,
    ],
    [
      'the log',
      `insert into "auditLog" (id, at, "actorName", action, "threadId", number, rule, "isPublic")
       select ${newId}, at, '頭領', 'post_remove', (select id from numbered where thread = 5), 1, 'hurt', n % 2 = 0 from ${series(members)}`,
    ],
    [
      'bans',
      `insert into bans (id, kind, subject, label, scope, reason, "createdAt", "expiresAt")
       select ${newId}, 'visitor', gen_random_uuid()::text, '訪問者 A3F9', 'site', '荒らし', at, at + n % 100 * interval '1 day' from ${series(10_000)}`,
    ],
    [
      'held posts',
      `insert into "heldPosts" (id, status, "categoryId", "threadId", "visitorId", why, payload, "createdAt")
       select ${newId}, 'waiting', t."categoryId", t.id, gen_random_uuid(), 'word', '{"name":null,"content":"草","image":null}', at
       from ${series(5_000)} join numbered as t on t.thread = n % ${Math.floor(posts / POSTS_A_THREAD)}`,
    ],
    ['clearing up', 'drop table numbered'],
  ]
}
