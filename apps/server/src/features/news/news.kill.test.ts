/**
 * Kills processes that run the news again and again, and expects exactly one thread per article at
 * the end.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import {
  MATTERS,
  pageOf,
  startNewspaper,
  type Matter,
  type Newspaper,
} from '@shinobi/newsroom/testing/outside/newspaper'
import type { Route } from '@shinobi/newsroom/testing/outside/publishers'
import { createRandom, type Random } from '../../seed/random.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/board.ts'
import { makeEmptyFolder } from '../../testing/data-folder.ts'
import { pictureBytes } from '../../testing/outside/picture.ts'
import { addSource } from '../../testing/stories.ts'
import type { RunReport } from './news.service.ts'

const WORKER = resolve(import.meta.dirname, '../../testing/news-worker.ts')
const KILLS = 20
/** Steps of a run that have work; the last one has none yet. */
const STEPS = 5
/** Maximum delay of a kill after an event: about the time to the next event. */
const WITHIN_MS = 30

const PARAGRAPHS = MATTERS.flatMap(({ paragraphs }) => paragraphs)
/** Articles of four paragraphs each: any two have at most one in common, so none is a copy. */
const ARTICLES = Array.from({ length: 18 }, (_, index): Matter => ({
  slug: `article-${index}`,
  title: `${MATTERS[index % MATTERS.length]!.title}（${index}）`,
  paragraphs: [0, 3, 7, 17].map((step) => PARAGRAPHS[(index + step) % PARAGRAPHS.length]!),
}))

let database: TestDatabase
let paper: Newspaper
let env: NodeJS.ProcessEnv
let dataDir: string
/** Emits an event for each requested article and picture. */
const moments = new EventEmitter<{ request: [] }>()
beforeEach(async () => {
  dataDir = makeEmptyFolder()
  paper = await startNewspaper()
  database = await openTestDatabase()
  const { PATH, NODE_COMPILE_CACHE } = process.env
  env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, DATABASE_URL: database.url }
  for (const path of ['/even', '/odd']) {
    await addSource({ database, clock: { now: Date.now() } }, { url: `${paper.url}${path}` })
  }
  const serve = (path: string, route: Route): void =>
    paper.set(path, () => {
      moments.emit('request')
      return route
    })
  serve('/picture.png', { body: await pictureBytes(), headers: { 'content-type': 'image/png' } })
  const head = `<meta property="og:image" content="${paper.url}/picture.png">`
  for (const article of ARTICLES) serve(`/articles/${article.slug}`, { body: pageOf(article, { head }) })
})
afterEach(async () => {
  await paper.close()
  await database.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const announcedBy = (part: number): number => Math.ceil((ARTICLES.length * part) / KILLS)

/** Puts the first parts of the articles into the feeds, some of them into both. */
function announce(part: number): void {
  const told = ARTICLES.slice(0, announcedBy(part)).toReversed()
  const newest = Date.now() - 60_000
  const isIn = (odd: number) => (article: Matter) => {
    const index = ARTICLES.indexOf(article)
    return index % 2 === odd || index % 5 === 0
  }
  paper.announce('/even', told.filter(isIn(0)), { newest })
  paper.announce('/odd', told.filter(isIn(1)), { newest })
}

/** Starts a process that runs the news. @param onLine called for each line of its output */
function start(onLine: (line: string) => void): ChildProcess {
  const child = spawn(process.execPath, [WORKER], { env, stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  createInterface({ input: child.stdout }).on('line', onLine)
  return child
}

/** Kills a process at a random moment of its run. @returns false when the run ended before */
async function killOnce(part: number, random: Random): Promise<boolean> {
  // Each new article and its picture, which is requested once, are events that make the run last.
  const untold = Math.max(announcedBy(part) - paper.asked('/picture.png'), 0)
  let left = 1 + random.below(STEPS + 2 * untold)
  const afterMs = random.below(WITHIN_MS)
  const child = start((line) => {
    if (line.includes('a step begins')) happen()
  })
  const happen = (): void => {
    left -= 1
    if (left === 0) setTimeout(() => child.kill('SIGKILL'), afterMs)
  }
  moments.on('request', happen)
  await once(child, 'exit')
  moments.off('request', happen)
  return child.signalCode === 'SIGKILL'
}

async function finish(): Promise<RunReport> {
  let report: RunReport | null = null
  const child = start((line) => {
    if (line.startsWith('done ')) report = JSON.parse(line.slice(5)) as RunReport
  })
  await once(child, 'close')
  if (report === null) throw new Error('the process ended before its run was over')
  return report
}

it('processes killed with -9 at many moments lose no article and publish none twice', async () => {
  const random = createRandom(20261121)
  for (let kills = 0; kills < KILLS;) {
    announce(kills + 1)
    if (await killOnce(kills + 1, random)) kills += 1
  }
  // At least one killed run must have published something, or the kills came too early.
  expect((await finish()).published).toBeLessThan(ARTICLES.length)
  expect(await finish()).toMatchObject({ found: 0, stories: 0, published: 0 })
  const { db } = database
  const titles = ARTICLES.map(({ title }) => title).toSorted()
  const threads = await db
    .selectFrom('threads')
    .innerJoin('posts', 'posts.threadId', 'threads.id')
    .select(['threads.title', 'threads.image', 'posts.number'])
    .execute()
  expect(threads.map(({ title }) => title).toSorted()).toEqual(titles)
  expect(threads.every(({ number, image }) => number === 1 && image !== null)).toBe(true)
  const articles = await db.selectFrom('newsArticles').select(['title', 'state', 'attempts', 'problem']).execute()
  expect(articles.map(({ title }) => title).toSorted()).toEqual(titles)
  expect(articles.every(({ state, problem }) => state === 'told' && problem === null)).toBe(true)
  const stories = await db.selectFrom('newsStories').select(['state']).execute()
  expect(stories.every(({ state }) => state === 'published')).toBe(true)
}, 600_000)
