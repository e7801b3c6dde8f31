/**
 * The large board and one a hundredth of its size, in one PostgreSQL: filled once for all rows that
 * need them.
 */
import pg from 'pg'
import { onEnd } from './cleanup.ts'
import type { Bench } from './figure.ts'
import { fillLargeBoard, POSTS_A_THREAD, type LargeBoard } from './large-board.ts'

const SMALLER = 100

export interface Boards {
  readonly small: LargeBoard
  readonly large: LargeBoard
}

let opened: Promise<Boards> | null = null

export function openBoards(bench: Bench): Promise<Boards> {
  opened ??= open(bench)
  return opened
}

async function open({ options, cluster, say }: Bench): Promise<Boards> {
  const { programs } = cluster
  if (options.largeUrl === null) {
    const large = { url: await cluster.createDatabase('board_large'), posts: options.posts }
    const small = { url: await cluster.createDatabase('board_small'), posts: options.posts / SMALLER }
    for (const board of [small, large]) await fillLargeBoard({ ...board, programs, say })
    return { small, large }
  }
  await fillLargeBoard({ url: options.largeUrl, posts: options.posts, programs, say })
  const client = new pg.Client({ connectionString: options.largeUrl })
  client.on('error', () => {})
  await client.connect()
  onEnd(() => client.end())
  // The actual number: an earlier run may have filled it.
  const { rows } = await client.query<{ threads: string }>(
    "select sum(count) as threads from tallies where kind = 'threads'",
  )
  const posts = Math.round(Number(rows[0]!.threads) / 1_000) * 1_000 * POSTS_A_THREAD
  const name = `bench_small_${process.pid}`
  await client.query(`create database ${name}`)
  onEnd(() => client.query(`drop database ${name} with (force)`))
  const small = { url: Object.assign(new URL(options.largeUrl), { pathname: `/${name}` }).href, posts: posts / SMALLER }
  await fillLargeBoard({ ...small, programs, say })
  return { small, large: { url: options.largeUrl, posts } }
}

export const sizeOf = ({ posts }: LargeBoard): string =>
  `${(posts / POSTS_A_THREAD).toLocaleString('en-US')} threads / ${posts.toLocaleString('en-US')} posts`
