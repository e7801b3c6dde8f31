/**
 * Compares the board with the ledger: reads threads and pictures as visitors do, and counts rows in
 * the database.
 */
import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import type { Post } from '@shinobi/contract/posts'
import { call, readJson, type Answer } from './http.ts'
import { digestOf, type KnownPicture, type Ledger, type ThreadRecord } from './ledger.ts'
import type { Sql } from './sql.ts'

export interface Checker {
  /** Checks what has changed since the last check, while posts are being written. */
  checkTouched(): Promise<void>
  /** Makes the next check read posts of open threads, and pictures from this one on, again. */
  distrust(fromPicture: number): void
  /** Checks everything. Expects that nobody writes. */
  checkAll(): Promise<void>
}

export interface CheckerOptions {
  readonly url: string
  readonly sql: Sql
  readonly ledger: Ledger
  /** False on a cluster, where totals lag behind their rows (docs/scaling.md). */
  readonly hasExactTotals: boolean
}

/** The largest page size. */
const PAGE = 100
const AT_ONCE = 4
/** A board that answers no request for this long has not recovered. */
const WITHIN_MS = 60_000
const AGAIN_MS = 50
/** While servers of one board cannot reach each other, answers may be a second old. */
const STALE_MS = 2_500
/** Totals count all rows, so they are only checked now and then. */
const TOTALS_EVERY = 25

export function createChecker({ url, sql, ledger, hasExactTotals }: CheckerOptions): Checker {
  let checks = 0

  /** Retries until the board answers. @throws Error on time-out */
  async function get(path: string): Promise<Answer> {
    for (const end = performance.now() + WITHIN_MS; ;) {
      const answer = await call(url + path)
      if (answer.status !== 0 && answer.status < 500) return answer
      if (performance.now() > end) throw new Error(`${path} is answered with ${answer.status} for a minute`)
      await sleep(AGAIN_MS)
    }
  }

  /** Posts after a number, page by page; null when the thread does not exist. */
  async function* readPosts(id: string, after: number): AsyncGenerator<Post, void> {
    for (;;) {
      const answer = await get(`/api/threads/${id}/posts?limit=${PAGE}&after=${after}`)
      if (answer.status !== 200) return
      const page = readJson<Post[]>(answer)
      yield* page
      const last = page.at(-1)
      if (last === undefined || page.length < PAGE) return
      after = last.number
    }
  }

  /** Reads a thread from where the last check ended; missing posts are looked up once more. */
  async function readOn(thread: ThreadRecord): Promise<void> {
    if (await readOnce(thread, false)) return
    await sleep(STALE_MS)
    await readOnce(thread, true)
  }

  /** @returns whether all known posts were found */
  async function readOnce(thread: ThreadRecord, isLast: boolean): Promise<boolean> {
    // Posts known now must be in everything that is read from here on.
    const must = thread.posts.slice()
    const found = new Set<number>()
    let expected = thread.checked + 1
    for await (const post of readPosts(thread.id, thread.checked)) {
      for (; expected < post.number; expected += 1) {
        if (isLast && thread.posts[expected - 1] === undefined)
          ledger.report('gap', `${thread.id} has no number ${expected}`)
      }
      expected = post.number + 1
      found.add(post.number)
      const marker = post.content.slice(0, post.content.indexOf('\n'))
      const number = thread.markers.get(marker)
      if (number !== undefined && number !== post.number) {
        ledger.report('doubled', `${marker} in ${thread.id}: numbers ${number} and ${post.number}`)
      }
      thread.markers.set(marker, post.number)
      ledger.learn(thread, post)
    }
    const missing = Array.from(
      { length: Math.max(0, must.length - thread.checked) },
      (_, index) => thread.checked + 1 + index,
    ).filter((number) => !found.has(number))
    if (missing.length > 0 && !isLast) return false
    for (const number of missing) {
      const known = must[number - 1]
      if (known !== undefined) ledger.report('lost', `${thread.id} number ${number} (${known.id})`)
    }
    thread.checked = Math.max(thread.checked, ...found)
    return true
  }

  async function checkPicture(picture: KnownPicture): Promise<void> {
    const hashes: string[] = []
    for (const path of picture.urls) {
      const { status, body } = await get(path)
      if (status !== 200) {
        ledger.report('picture', `${path} is answered with ${status}`)
        return
      }
      hashes.push(createHash('sha256').update(body).digest('base64url'))
      if (picture.hashes !== null) continue
      try {
        const { info } = await sharp(body).raw().toBuffer({ resolveWithObject: true })
        if (info.width === picture.width && info.height === picture.height) continue
        ledger.report('picture', `${path} has ${info.width} x ${info.height} pixels`)
      } catch (error) {
        ledger.report('picture', `${path} cannot be decoded (${(error as Error).message})`)
      }
    }
    if (picture.hashes === null) picture.hashes = hashes
    else if (hashes.join() !== picture.hashes.join()) ledger.report('picture', `${picture.urls[0]} has changed`)
  }

  async function checkCounters(ids: readonly string[]): Promise<void> {
    const threads = await sql.rows<{
      id: string
      postCount: number
      posts: number
      top: number
      likes: number
      likers: number
    }>(
      `select t.id, t."postCount", p.posts, p.top, t.likes, l.likers
       from threads as t
       cross join lateral (
         select count(*)::integer as posts, coalesce(max(number), 0) as top from posts where "threadId" = t.id
       ) as p
       cross join lateral (select count(*)::integer as likers from "threadLikes" where "threadId" = t.id) as l
       where t.id = any($1::uuid[]) and (t."postCount" <> p.posts or p.top <> p.posts or t.likes <> l.likers)`,
      [ids],
    )
    for (const { id, postCount, posts, top, likes, likers } of threads) {
      if (postCount !== posts || likes !== likers) {
        ledger.report('counter', `${id} counts ${postCount} posts of ${posts}, ${likes} likes of ${likers}`)
      }
      if (top !== posts) ledger.report('gap', `${id} has ${posts} posts, the last with number ${top}`)
    }
    const posts = await sql.rows<{ place: string; likes: number; likers: number }>(
      `select p."threadId" || ' number ' || p.number as place, p.likes, count(l."userId")::integer as likers
       from posts as p left join "postLikes" as l on l."threadId" = p."threadId" and l."postId" = p.id
       where p."threadId" = any($1::uuid[]) group by p."threadId", p.number, p.likes
       having p.likes <> count(l."userId")`,
      [ids],
    )
    for (const { place, likes, likers } of posts) {
      ledger.report('counter', `${place} counts ${likes} likes of ${likers}`)
    }
  }

  async function checkLikes(ids: ReadonlySet<string>): Promise<void> {
    const before = [...ledger.likes].filter(([, like]) => ids.has(like.threadId) && !like.isOpen)
    const versions = new Map(before.map(([key, { version }]) => [key, version]))
    const rows = await sql.rows<{ userId: string; target: string }>(
      `select "userId", "threadId" as target from "threadLikes" where "threadId" = any($1::uuid[])
       union all select "userId", "postId" from "postLikes" where "threadId" = any($1::uuid[])`,
      [[...ids]],
    )
    const stored = new Set(rows.map(({ userId, target }) => `${userId} ${target}`))
    for (const [key, like] of before) {
      if (like.version !== versions.get(key) || stored.has(key) === like.liked) continue
      ledger.report(
        'lost',
        `${like.liked ? 'the like' : 'the taking back of the like'} ${key} (version ${like.version})`,
      )
    }
  }

  async function checkTotals(): Promise<void> {
    const [totals] = await sql.rows<
      Record<'posts' | 'threads' | 'users' | `${'posts' | 'threads' | 'users'}Rows`, number>
    >(
      `select
         coalesce(sum(count) filter (where kind = 'posts'), 0)::integer as posts,
         coalesce(sum(count) filter (where kind = 'threads'), 0)::integer as threads,
         coalesce(sum(count) filter (where kind = 'users'), 0)::integer as users,
         (select count(*)::integer from posts) as "postsRows",
         (select count(*)::integer from threads) as "threadsRows",
         (select count(*)::integer from users) as "usersRows"
       from tallies`,
    )
    for (const kind of ['posts', 'threads', 'users'] as const) {
      if (totals![kind] === totals![`${kind}Rows`]) continue
      ledger.report('counter', `the total of ${kind} is ${totals![kind]}, of ${totals![`${kind}Rows`]} rows`)
    }
  }

  function distrust(fromPicture: number): void {
    for (const thread of ledger.threads.values()) {
      thread.checked = 0
      thread.markers.clear()
      thread.isTouched = true
    }
    ledger.picturesChecked = fromPicture
  }

  /** A full thread that was read to its end is replaced by its digest, to save memory. */
  function putAway(thread: ThreadRecord): void {
    if (!thread.isFull || thread.open > 0 || thread.checked < thread.posts.length) return
    ledger.full.push({ id: thread.id, count: thread.posts.length, digest: digestOfThread(thread) })
    ledger.threads.delete(thread.id)
  }

  async function checkFull({ id, count, digest }: Ledger['full'][number]): Promise<void> {
    const hash = createHash('sha256')
    let found = 0
    for await (const post of readPosts(id, 0)) {
      found += 1
      hash.update(`${post._id} ${digestOf(post)}\n`)
    }
    if (found < count) ledger.report('lost', `${id} has ${found} posts of ${count}`)
    else if (hash.digest('base64url') !== digest) ledger.report('changed', `${id} (${count} posts) reads otherwise now`)
  }

  async function checkPictures(from: number): Promise<void> {
    const until = ledger.pictures.length
    await forEach(ledger.pictures.slice(from, until), checkPicture)
    ledger.picturesChecked = until
  }

  return {
    async checkTouched() {
      const touched = [...ledger.threads.values()].filter((thread) => thread.isTouched)
      for (const thread of touched) thread.isTouched = false
      await forEach(touched, readOn)
      await checkPictures(ledger.picturesChecked)
      const ids = touched.map(({ id }) => id)
      await checkCounters(ids)
      await checkLikes(new Set(ids))
      if (hasExactTotals && checks % TOTALS_EVERY === 0) await checkTotals()
      checks += 1
      touched.forEach(putAway)
    },

    distrust,

    async checkAll() {
      distrust(0)
      await forEach([...ledger.threads.values()], readOn)
      await forEach(ledger.full, checkFull)
      await checkPictures(ledger.picturesChecked)
      const ids = [...ledger.threads.keys(), ...ledger.full.map(({ id }) => id)]
      for (let from = 0; from < ids.length; from += PAGE) {
        const some = ids.slice(from, from + PAGE)
        await checkCounters(some)
        await checkLikes(new Set(some))
      }
      if (hasExactTotals) await checkTotals()
      await checkSums()
    },
  }

  /**
   * When nobody writes, there are as many posts and threads as were acknowledged: more are
   * duplicates, fewer are losses.
   */
  async function checkSums(): Promise<void> {
    const [sums] = await sql.rows<{ posts: number; threads: number }>(
      'select (select count(*)::integer from posts) as posts, (select count(*)::integer from threads) as threads',
    )
    for (const kind of ['posts', 'threads'] as const) {
      const [stored, acknowledged] = [sums![kind], ledger.acknowledged[kind]]
      if (stored === acknowledged) continue
      ledger.report(
        stored > acknowledged ? 'doubled' : 'lost',
        `the database holds ${stored} ${kind}, and ${acknowledged} were acknowledged`,
      )
    }
  }
}

const digestOfThread = ({ posts }: ThreadRecord): string => {
  const hash = createHash('sha256')
  for (const post of posts) hash.update(`${post?.id} ${post?.digest}\n`)
  return hash.digest('base64url')
}

/**
 * Picture files without a post: of posts that were never stored, because the server died before.
 */
export async function countOrphans(dataDir: string, sql: Sql): Promise<number> {
  const rows = await sql.rows<{ key: string }>(
    `select image ->> 'key' as key from posts where image is not null
     union select image ->> 'key' from threads where image is not null`,
  )
  const used = new Set(rows.map(({ key }) => key))
  const keys = readdirSync(join(dataDir, 'images')).map((name) => name.replace(/(-s)?\.webp.*$/, ''))
  return new Set(keys.filter((key) => !used.has(key))).size
}

/** Processes a list, some items at a time. */
async function forEach<T>(list: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = list[Symbol.iterator]()
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
}
