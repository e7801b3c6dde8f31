/**
 * Times every admin list and the dashboard on a large board, on PostgreSQL: node bench/admin.ts [--threads N] [--posts N] [--url URL]
 * The board is made by SQL alone, as its texts do not count here; with 1,000,000 threads and 10,000,000 posts that takes some minutes
 * and about 6 GB of disk, which are free again at the end. With --url the board is made in that (empty) database and stays there; when it
 * is there already it is only measured.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { hash } from '@node-rs/argon2'
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { pino } from 'pino'
import { buildApp } from '../apps/server/src/app.ts'
import { readConfig } from '../apps/server/src/config.ts'
import { openDatabase } from '../apps/server/src/db/client.ts'
import { migrateToLatest } from '../apps/server/src/db/migrate.ts'
import type { Tables } from '../apps/server/src/db/tables.ts'
import { recount } from '../apps/server/src/db/tallies.ts'
import { takeName } from '../apps/server/src/features/accounts/user-names.queries.ts'
import { insertUser } from '../apps/server/src/features/accounts/users.queries.ts'
import { foldName } from '../apps/server/src/lib/fold.ts'
import { uuidv7 } from '../apps/server/src/lib/uuid.ts'
import { startPostgres } from '../scripts/postgres.mjs'

/** What every answer has to stay under, at the server. */
const GOAL_MS = 100
const ROUNDS = 9
const DAYS = 90
const PASSWORD = 'a password of the bench'

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '1000000' },
    posts: { type: 'string', default: '10000000' },
    url: { type: 'string' },
  },
})
const threads = Number(values.threads)
const posts = Number(values.posts)
/** Threads are opened every so many posts. */
const every = Math.floor(posts / threads)
if (!(threads > 0 && every > 0))
  throw new Error('--threads and --posts take whole numbers, with more posts than threads.')
const users = Math.ceil(threads / 10)
const end = Date.now()

const start = performance.now()
const seconds = (): string => `${((performance.now() - start) / 1_000).toFixed(0)} s`
const say = (text: string): void => console.log(`${seconds()}  ${text}`)

/** Milliseconds of the n-th of so many things: spread over the days, four times as dense by day as by night. */
const timeOf = (n: string, of: number): string => `(
  ${end}::float8 - ${DAYS * 86_400_000}::float8 * (1 - (${n})::float8 / ${of})
  + 86400000 / (2 * pi()) * 0.6 * sin(2 * pi() * (${n})::float8 / ${of} * ${DAYS}) - 60000)::bigint`
/** A UUIDv7 of a time; the number behind it keeps the order and makes it unique. */
const idOf = (time: string, n: string): string => `(
  lpad(to_hex(${time}), 12, '0') || '7' || lpad(to_hex((${n})::bigint % 4096), 3, '0') || '8' || substr(md5((${n})::text), 1, 15))::uuid`

const FILL: readonly (readonly [what: string, statement: string])[] = [
  [
    'users',
    `insert into users (id, name, email, "emailKey", "createdAt")
     select ${idOf('ms', 'n')}, 'member' || n, 'member' || n || '@example.jp', 'member' || n || '@example.jp', to_timestamp(ms / 1000.0)
     from (select n, ${timeOf('n', users)} as ms from generate_series(1, ${users}) as n) as one`,
  ],
  ['names', `insert into "userNames" (name, "userId") select name, id from users`],
  [
    'threads',
    `insert into threads (id, "categoryId", title, excerpt, nickname, "visitorId", "createdAt", "lastPostAt", "postCount", revision,
       heat, "rankedPosts", "rankedHeat")
     select ${idOf('ms', 'n')}, (array(select id from categories order by position))[1 + n % (select count(*) from categories)],
       '題名の長さはこのくらいのスレッド ' || n, repeat('本文の抜粋', 12), '忍' || n % 997, gen_random_uuid(),
       to_timestamp(ms / 1000.0), to_timestamp(ms / 1000.0), 1, 1, n, 1, n
     from (select n, ${timeOf(`n * ${every}`, posts)} as ms from generate_series(0, ${threads - 1}) as n) as one`,
  ],
  // Every so often a post opens a thread; the others go into one that was opened not long ago. The first posts of all have no choice.
  [
    'places of posts',
    `create unlogged table placed as
     select n, thread, row_number() over (partition by thread order by n) as number from (
       select n, case when n % ${every} = 0 then least(n / ${every}, ${threads - 1})
         else greatest(0, least(n / ${every}, ${threads - 1}) - floor(-ln(1 - random()) * 2000)::integer) end as thread
       from generate_series(0, ${posts - 1}) as n) as one`,
  ],
  [
    'ids of threads',
    `create unlogged table numbered as select id, row_number() over (order by id) - 1 as thread from threads`,
  ],
  ['their index', `alter table numbered add primary key (thread)`],
  [
    'posts',
    `insert into posts ("threadId", number, id, name, content, "visitorId", "createdAt", "deletedAt")
     select t.id, number, ${idOf('ms', 'n')}, '忍' || n % 997, repeat('このくらいの長さの書き込み', 4), gen_random_uuid(),
       to_timestamp(ms / 1000.0), case when n % 333 = 1 then to_timestamp(ms / 1000.0 + 60) end
     from (select n, thread, number, ${timeOf('n', posts)} as ms from placed order by n) as one join numbered as t using (thread)`,
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
     from posts as p tablesample system (1) join threads as t on t.id = p."threadId"`,
  ],
  [
    'reports',
    `insert into reports ("threadId", id, "postId", reporter, reason, evidence, "createdAt", voice)
     select c."threadId", gen_random_uuid(), c."postId", gen_random_uuid(), '荒らしです', '{"number":1,"name":null,"content":"草","imageKey":null,"seen":"草"}',
       c."createdAt", 'voice ' || k from cases as c cross join lateral generate_series(1, c.reports) as k`,
  ],
  [
    'the log',
    `insert into "auditLog" (id, at, "actorName", action, "threadId", number, rule, "isPublic")
     select ${idOf('ms', 'n')}, to_timestamp(ms / 1000.0), '頭領', 'post_remove', (select id from numbered where thread = 5), 1, 'hurt', n % 2 = 0
     from (select n, ${timeOf('n', users)} as ms from generate_series(1, ${users}) as n) as one`,
  ],
  [
    'bans',
    `insert into bans (id, kind, subject, label, scope, reason, "createdAt", "expiresAt")
     select ${idOf('ms', 'n')}, 'visitor', gen_random_uuid()::text, '訪問者 A3F9', 'site', '荒らし', to_timestamp(ms / 1000.0),
       to_timestamp(ms / 1000.0 + 86400 * (n % 100))
     from (select n, ${timeOf('n', 10_000)} as ms from generate_series(1, 10000) as n) as one`,
  ],
  [
    'held posts',
    `insert into "heldPosts" (id, status, "categoryId", "threadId", "visitorId", why, payload, "createdAt")
     select ${idOf('ms', 'n')}, 'waiting', t."categoryId", t.id, gen_random_uuid(), 'word', '{"name":null,"content":"草","image":null}', to_timestamp(ms / 1000.0)
     from (select n, ${timeOf('n', 5_000)} as ms from generate_series(1, 5000) as n) as one
     join numbered on thread = n join threads as t on t.id = numbered.id`,
  ],
  ['(clearing up)', 'drop table placed, numbered'],
]

async function fill(url: string): Promise<void> {
  // Without the server's time-outs.
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  await migrateToLatest(db)
  pool.on('error', () => {})
  if ((await db.selectFrom('threads').select('id').limit(1).execute()).length > 0) return db.destroy()
  const client = await pool.connect()
  client.on('error', () => {})
  await client.query(`set work_mem = '256MB'; set maintenance_work_mem = '512MB'`)
  // Built again at the end, which is quicker.
  const indexes = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename in ('posts', 'threads') and indexname not like '%_pkey'`,
  )
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  for (const [what, statement] of FILL) {
    const { rowCount } = await client.query(statement)
    say(`${what}: ${rowCount ?? 0}`)
  }
  for (const { definition } of indexes.rows) await client.query(definition)
  say('indexes')
  client.release()
  await db.transaction().execute(recount)
  say('tallies')
  await sql`vacuum analyze`.execute(db)
  say('analysed')
  await db.destroy()
}

interface Timing {
  readonly call: string
  readonly median: number
  readonly worst: number
  readonly bytes: number
}

async function measure(url: string): Promise<Timing[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'shinobi-bench-'))
  const database = await openDatabase({ url, folder: null, pool: 4 })
  const { db } = database
  // Whatever the index of the search lacks is nobody's business here, and shall not be made up for beside what is measured.
  const swept = JSON.stringify({ through: Date.now() })
  await sql`
    insert into settings (key, value) values ('search.swept', ${swept}::text::jsonb)
    on conflict (key) do update set value = excluded.value`.execute(db)
  const config = readConfig({
    DATA_DIR: dataDir,
    PUBLIC_URL: 'http://localhost',
    LOG_LEVEL: 'silent',
    SHIELD_AUTOMATIC: 'false',
  })
  const logger = pino({ level: 'silent' })
  const { app } = await buildApp({ config, db, secret: 'a secret of the bench, long enough', bundle: null, logger })
  const at = new Date()
  const categories = await db.selectFrom('categories').select('id').orderBy('position').execute()

  async function logIn(name: string, categoryIds: readonly string[] | null): Promise<string> {
    const id = uuidv7(Date.now())
    const passwordHash = await hash(PASSWORD, { memoryCost: 8, timeCost: 1, parallelism: 1 })
    await insertUser(db, {
      id,
      name,
      email: `${name}@bench.example.jp`,
      passwordHash,
      at,
      isAdmin: categoryIds === null,
    })
    if (!(await takeName(db, id, foldName(name), at))) throw new Error(`the name ${name} is taken`)
    if (categoryIds !== null)
      await db
        .insertInto('moderators')
        .values({ userId: id, categoryIds: JSON.stringify(categoryIds), createdAt: at })
        .execute()
    const answer = await app.inject({
      ...{ method: 'POST', url: '/auth/login', payload: { username: name, password: PASSWORD } },
      headers: { origin: 'http://localhost' },
    })
    if (answer.statusCode !== 200) throw new Error(`the log-in was refused: ${answer.body}`)
    return answer.cookies.map((cookie) => `${cookie.name}=${cookie.value}`).join('; ')
  }

  async function time(who: string, cookie: string, path: string): Promise<Timing> {
    const times: number[] = []
    let bytes = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const begun = performance.now()
      const answer = await app.inject({ method: 'GET', url: path, headers: { cookie } })
      times.push(performance.now() - begun)
      bytes = answer.rawPayload.length
      if (answer.statusCode !== 200) throw new Error(`${path}: ${answer.statusCode} ${answer.body}`)
    }
    // The first one also parses and plans its statements, once for a connection: it counts among the worst.
    const sorted = times.toSorted((a, b) => a - b)
    return { call: `${who} ${path}`, median: sorted[Math.floor(ROUNDS / 2)]!, worst: sorted.at(-1)!, bytes }
  }

  async function pagesOf(cookie: string, path: string): Promise<string[]> {
    const answer = await app.inject({ method: 'GET', url: path, headers: { cookie } })
    const { totalPages } = answer.json<{ pagination: { totalPages: number } }>().pagination
    const middle = Math.ceil(totalPages / 2)
    return [...new Set([1, Math.ceil(totalPages / 1_000), middle, totalPages])].map((page) => `${path}?page=${page}`)
  }

  const admin = await logIn(`hanzo${Date.now()}`, null)
  const moderator = await logIn(`kaede${Date.now()}`, [categories[2]!.id, categories[4]!.id])
  // Who has nothing to do must not make the server look through everything that others have.
  const quietCategory = uuidv7(Date.now())
  await db
    .insertInto('categories')
    .values({ id: quietCategory, name: quietCategory.slice(0, 23), description: '', position: 100, createdAt: at })
    .execute()
  const idle = await logIn(`tsubaki${Date.now()}`, [quietCategory])
  const calls: [who: string, cookie: string, path: string][] = []
  const add = (who: string, cookie: string, paths: readonly string[]): void =>
    paths.forEach((path) => calls.push([who, cookie, path]))
  add('admin', admin, ['/api/admin/dashboard'])
  for (const path of ['/api/admin/users', '/api/admin/threads', '/api/admin/posts'])
    add('admin', admin, await pagesOf(admin, path))
  add('admin', admin, ['/api/admin/users?q=member7', '/api/admin/categories'])
  const queues = [
    '/api/admin/queue',
    '/api/admin/cases',
    '/api/admin/cases?sort=oldest',
    '/api/admin/cases?status=closed',
    '/api/admin/held',
  ]
  add('admin', admin, [
    ...queues,
    '/api/admin/bans',
    '/api/admin/bans?standing=false',
    '/api/admin/words',
    '/api/admin/audit',
  ])
  add('admin', admin, ['/api/admin/shields', '/api/admin/tracing', '/api/admin/settings', '/api/moderation-log'])
  for (const path of ['/api/admin/threads', '/api/admin/posts'])
    add('moderator', moderator, await pagesOf(moderator, path))
  add('moderator', moderator, [...queues, '/api/admin/bans'])
  add('idle moderator', idle, ['/api/admin/threads', '/api/admin/posts', ...queues, '/api/admin/bans'])

  const timings: Timing[] = []
  for (const call of calls) {
    try {
      timings.push(await time(...call))
    } catch (error) {
      say((error as Error).message)
      process.exitCode = 1
    }
  }
  await app.close()
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
  return timings
}

async function run(url: string): Promise<void> {
  await fill(url)
  const timings = await measure(url)
  const width = Math.max(...timings.map(({ call }) => call.length))
  console.log(`\n${threads} threads, ${posts} posts, ${users} users; milliseconds at the server, of ${ROUNDS} each`)
  for (const { call, median, worst, bytes } of timings) {
    const mark = median > GOAL_MS ? '  over the goal' : ''
    console.log(
      `${call.padEnd(width)}  median ${median.toFixed(1).padStart(6)}  worst ${worst.toFixed(1).padStart(6)}  ${bytes} bytes${mark}`,
    )
  }
  if (timings.some(({ median }) => median > GOAL_MS)) process.exitCode = 1
}

if (values.url !== undefined) await run(values.url)
else {
  const postgres = await startPostgres()
  try {
    await run(postgres.url)
  } finally {
    await postgres.stop()
  }
}
