/**
 * What browsers of 2ch ask for, from the cache: requests per second of the board ÷ those of a bare
 * node:http server that sends the same bytes.
 */
import pg from 'pg'
import { atLeast, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled } from '../lib/fill.ts'
import { fetchRaw, headerOf } from '../lib/http.ts'
import { startBoard } from '../lib/server.ts'
import { startWorker } from '../lib/worker.ts'
import type { calls as BareHttp } from '../workers/bare-http.ts'
import type { calls as HttpLoad } from '../workers/http-load.ts'
import { compareCached } from './cached-http.ts'

const GZIP = { 'accept-encoding': 'gzip' }
const SUBJECTS = 1_000

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_gateway')
  const { full } = await listFilled(databaseUrl)
  const { board: name, key, threads } = await giveKeys(databaseUrl, full.id)
  const board = await startBoard({ databaseUrl })
  const bare = startWorker<typeof BareHttp>('bare-http')
  const load = startWorker<typeof HttpLoad>('http-load')
  const range = { board, bare, bareUrl: await bare.call('listen', undefined), load }
  const path = `/${name}/dat/${key}.dat`
  const dat = await fetchRaw(board.url + path)
  const unchanged = {
    range: `bytes=${dat.body.length - 1}-`,
    'if-modified-since': headerOf(dat, 'last-modified') ?? '',
  }
  const posts = full.posts.toLocaleString('en-US')
  const targets = [
    { what: `dat of ${posts} posts, cached`, path, headers: GZIP, status: 200, encoding: 'gzip' },
    { what: `dat of ${posts} posts, nothing new`, path, headers: unchanged, status: 304, encoding: undefined },
    {
      what: `subject.txt of ${threads.toLocaleString('en-US')} threads, cached`,
      ...{ path: `/${name}/subject.txt`, headers: GZIP, status: 200, encoding: 'gzip' },
    },
  ]
  const figures: Figure[] = []
  for (const target of targets) {
    figures.push(await compareCached(range, { ...target, goal: atLeast(0.8) }, options, progress))
  }
  bare.stop()
  load.stop()
  await board.stop()
  return figures
}

/** Threads that were filled by statements have no keys; those of one category get theirs. */
async function giveKeys(
  databaseUrl: string,
  threadId: string,
): Promise<{ board: string; key: string; threads: number }> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const { rows: moved } = await client.query<{ board: string; categoryId: string }>(
      `select c.name as board, c.id as "categoryId" from threads as t join categories as c on c.id = t."categoryId" where t.id = $1`,
      [threadId],
    )
    const { board, categoryId } = moved[0]!
    await client.query(
      `update threads set "categoryId" = $1 where id in (select id from threads where id <> $2 order by id limit ${SUBJECTS - 1})`,
      [categoryId, threadId],
    )
    await client.query(
      `insert into "threadKeys" ("categoryId", key, "threadId")
       select "categoryId", 1700000000 + row_number() over (order by id), id from threads where "categoryId" = $1
       on conflict do nothing`,
      [categoryId],
    )
    const { rows: keys } = await client.query<{ key: string }>(
      'select key from "threadKeys" where "threadId" = $1 and "categoryId" = $2',
      [threadId, categoryId],
    )
    const { rows: counted } = await client.query<{ threads: number }>(
      `select least(count(*), ${SUBJECTS})::integer as threads from threads where "categoryId" = $1`,
      [categoryId],
    )
    return { board, key: keys[0]!.key, threads: counted[0]!.threads }
  } finally {
    await client.end()
  }
}

export const gateway: Row = { name: 'gateway', measure }
