/**
 * From a moderator's decision to everybody who is reading: a removed post in its thread, and the
 * banner on every page. ARCHITECTURE promises two seconds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled } from '../lib/fill.ts'
import { fetchRaw } from '../lib/http.ts'
import { openStaff, type Staff } from '../lib/people.ts'
import { startBoard, type Board } from '../lib/server.ts'
import { median, quantile } from '../lib/stats.ts'
import { POST_TEXT } from '../lib/text.ts'
import { startWorker, type Worker } from '../lib/worker.ts'
import type { calls as Readers } from '../workers/readers.ts'
import type { calls as Writers } from '../workers/writers.ts'

const READERS = 500
/** Others write meanwhile. */
const POSTS_PER_SECOND = 20
const DECISIONS = 20
const PROMISED_MS = 2_000

interface Desk {
  readonly board: Board
  readonly staff: Staff
  readonly threadId: string
  readonly readers: Worker<typeof Readers>
}

/** Times in milliseconds. */
interface Told {
  /** Until the last reader's page is told. */
  readonly pages: number[]
  /** Until the answer that all readers share is without the text. */
  readonly answers: number[]
}

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_moderation')
  const { toWrite } = await listFilled(databaseUrl)
  const board = await startBoard({ databaseUrl })
  const [threadId, busyId] = [toWrite[0]!.id, toWrite[1]!.id]
  const readers = startWorker<typeof Readers>('readers')
  const writers = startWorker<typeof Writers>('writers')
  await readers.call('open', { url: board.url, threadId, count: READERS })
  await writers.call('connect', { url: board.url, count: 20 })
  const desk: Desk = { board, staff: await openStaff(board, databaseUrl), threadId, readers }
  const busy = <T>(work: () => Promise<T>): Promise<T> => writeMeanwhile(writers, busyId, work)
  await removeSome(desk, 2)
  const removals: Told[] = []
  const banners: number[][] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`removals and the banner, to ${READERS} readers: round ${round + 1} of ${options.rounds}`)
    removals.push(await busy(() => removeSome(desk, DECISIONS)))
    banners.push(await busy(() => changeBanner(desk, DECISIONS)))
  }
  for (const worker of [readers, writers]) worker.stop()
  await board.stop()
  return [
    toDelay(
      `removal to the pages of ${READERS} readers`,
      removals.map(({ pages }) => pages),
    ),
    toDelay(
      'removal to the answer that they share',
      removals.map(({ answers }) => answers),
    ),
    toDelay(`banner to the pages of ${READERS} readers`, banners),
  ]
}

/** @returns what the work returns, with posts to another thread going on until then */
async function writeMeanwhile<T>(
  writers: Worker<typeof Writers>,
  threadId: string,
  work: () => Promise<T>,
): Promise<T> {
  const load = { over: false }
  const texts = { length: POST_TEXT.length, words: 'common' } as const
  const writing = (async () => {
    while (!load.over) await writers.call('pace', { threadId, perSecond: POSTS_PER_SECOND, seconds: 1, texts })
  })()
  const result = await work()
  load.over = true
  await writing
  return result
}

async function removeSome(desk: Desk, count: number): Promise<Told> {
  const { board, staff, threadId, readers } = desk
  const told: Told = { pages: [], answers: [] }
  for (let turn = 0; turn < count; turn += 1) {
    const text = `消される書き込み ${crypto.randomUUID()}`
    const path = `/api/threads/${threadId}/posts`
    const post = (await send(board, 'POST', path, staff.member, { content: text })) as { _id: string; number: number }
    const shared = `${board.url}${path}?after=${post.number - 1}&limit=1`
    // The server keeps the answer from now on.
    if (!(await hasText(shared, text))) throw new Error('a post is missing in its thread')
    await readers.call('watch', 'threadChanged')
    const start = process.hrtime.bigint()
    await send(board, 'DELETE', `/api/admin/posts/${post._id}`, staff.admin)
    while (await hasText(shared, text)) await sleep(5)
    told.answers.push(since(start, process.hrtime.bigint()))
    told.pages.push(since(start, BigInt(await readers.call('lastTold', undefined))))
  }
  return told
}

async function changeBanner({ board, staff, readers }: Desk, count: number): Promise<number[]> {
  const times: number[] = []
  for (let turn = 0; turn < count; turn += 1) {
    await readers.call('watch', 'noticesChanged')
    const start = process.hrtime.bigint()
    await send(board, 'PUT', '/api/admin/settings', staff.admin, {
      bannerText: `点検のお知らせ ${crypto.randomUUID()}`,
    })
    times.push(since(start, BigInt(await readers.call('lastTold', undefined))))
  }
  return times
}

const since = (start: bigint, end: bigint): number => Number(end - start) / 1e6

const hasText = async (url: string, text: string): Promise<boolean> => {
  const { status, body } = await fetchRaw(url)
  if (status !== 200) throw new Error(`${url} answered ${status}`)
  return body.toString().includes(text)
}

async function send(board: Board, method: string, path: string, cookie: string, body?: object): Promise<unknown> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const answer = await fetch(board.url + path, {
    method,
    headers: { origin: board.url, cookie, ...type },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${text.slice(0, 200)}`)
  return text === '' ? null : JSON.parse(text)
}

function toDelay(what: string, rounds: readonly (readonly number[])[]): Figure {
  const at = (share: number): number[] => rounds.map((times) => quantile(times, share))
  return toFigure(
    `${what}, at ${POSTS_PER_SECOND} posts/s: slowest of ${DECISIONS}`,
    'ms',
    at(1),
    atMost(PROMISED_MS),
    `p50 ${say(median(at(0.5)))} ms`,
  )
}

export const moderation: Row = { name: 'moderation', measure }
