/** Fills the measured board: Japanese text of usual length, the same in every run. */
import pg from 'pg'
import { uuidv7 } from '../../apps/server/src/lib/uuid.ts'
import { japanese, random } from './text.ts'

/** Threads with a page of posts, one for each measured first visit. */
export const READ_THREADS = 240
export const POSTS_TO_READ = 50
/** A thread of many pages. */
export const LONG_THREAD_POSTS = 500
/** A thread that takes no more posts. */
export const FULL_THREAD_POSTS = 1_000
/** Threads to post into. */
export const WRITTEN_THREADS = 1_000

export interface FilledThread {
  readonly id: string
  readonly posts: number
}

const HOUR_MS = 3_600_000

export async function fillBoard(url: string): Promise<void> {
  const next = random(1)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const categories = await client.query<{ id: string }>('select id from categories order by position')
  const sizes = [
    ...Array.from({ length: WRITTEN_THREADS }, () => 1 + Math.floor(next() * 3)),
    ...Array.from({ length: READ_THREADS }, () => POSTS_TO_READ),
    FULL_THREAD_POSTS,
    LONG_THREAD_POSTS,
  ]
  // The newest thread is the last one, an hour ago.
  const start = Date.now() - (sizes.length + 1) * HOUR_MS
  const threads = sizes.map((size, index) => {
    const at = start + index * HOUR_MS
    const posts = Array.from({ length: size }, (_, post) => ({
      id: uuidv7(at + post * 1_000),
      number: post + 1,
      name: next() < 0.3 ? null : `忍${1 + Math.floor(next() * 99)}`,
      content: japanese(next, 20 + Math.floor(next() ** 3 * 300)),
      createdAt: new Date(at + post * 1_000),
    }))
    return {
      id: uuidv7(at),
      categoryId: categories.rows[index % categories.rows.length]!.id,
      title: japanese(next, 12 + Math.floor(next() * 25)),
      excerpt: posts[0]!.content.slice(0, 200),
      at: new Date(at),
      size,
      heat: at / HOUR_MS / 12 + Math.log2(size),
      posts,
    }
  })
  await client.query('begin')
  for (const { posts, ...thread } of threads) {
    await client.query(
      `insert into threads (id, "categoryId", title, excerpt, "createdAt", "lastPostAt", "postCount", revision, heat, "rankedPosts", "rankedHeat", "rankedPostAt")
       select id, "categoryId", title, excerpt, at, at, size, size, heat, size, heat, at
       from json_to_record($1) as t(id uuid, "categoryId" uuid, title text, excerpt text, at timestamptz, size integer, heat float8)`,
      [JSON.stringify(thread)],
    )
    await client.query(
      `insert into posts ("threadId", number, id, name, content, "createdAt")
       select $1, number, id, name, content, "createdAt"
       from json_to_recordset($2) as p(id uuid, number integer, name text, content text, "createdAt" timestamptz)`,
      [thread.id, JSON.stringify(posts)],
    )
  }
  await client.query('commit')
  await client.end()
}

/** The threads of a filled board by what they are for. */
export async function listFilled(
  url: string,
): Promise<{ toRead: FilledThread[]; full: FilledThread; long: FilledThread; toWrite: FilledThread[] }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query<FilledThread>('select id, "postCount" as posts from threads order by id')
  await client.end()
  return {
    toWrite: rows.slice(0, WRITTEN_THREADS),
    toRead: rows.slice(WRITTEN_THREADS, WRITTEN_THREADS + READ_THREADS),
    full: rows.at(-2)!,
    long: rows.at(-1)!,
  }
}
