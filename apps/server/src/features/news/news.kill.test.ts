/**
 * Kills processes that run the news again and again, and expects exactly one thread per article at
 * the end.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { likeness, SAME_STORY } from '@shinobi/newsroom/articles/near-duplicates'
import {
  MATTERS,
  pageOf,
  startNewspaper,
  type Matter,
  type Newspaper,
} from '@shinobi/newsroom/testing/outside/newspaper'
import type { Db } from '../../db/client.ts'
import { createRandom, type Random } from '../../seed/random.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/board.ts'
import { pictureBytes } from '../../testing/outside/picture.ts'
import type { RunReport } from './news.service.ts'

const WORKER = resolve(import.meta.dirname, '../../testing/news-worker.ts')
/** Kills on each of two boards, which run at the same time. */
const KILLS = 10
/** Steps of a run that have work; the last one has none yet. */
const STEPS = 5
/** Maximum delay of a kill after an event: about the time to the next event. */
const WITHIN_MS = 30

const PARAGRAPHS = MATTERS.flatMap(({ paragraphs }) => paragraphs)
/**
 * Articles made of the newspaper's paragraphs, without those that are too similar to another one.
 */
const ARTICLES: Matter[] = []
for (const index of PARAGRAPHS.keys()) {
  const article = {
    slug: `article-${index}`,
    title: `${MATTERS[index % MATTERS.length]!.title}（${index}）`,
    paragraphs: [0, 7, 17].map((step) => PARAGRAPHS[(index + step) % PARAGRAPHS.length]!),
  }
  if (!ARTICLES.some((other) => isLike(article, other))) ARTICLES.push(article)
}

function isLike(one: Matter, other: Matter): boolean {
  return likeness(one.paragraphs.join('\n'), other.paragraphs.join('\n')) >= SAME_STORY - 0.05
}

/** The setting that an administrator would change. */
const MANY_AN_HOUR = `insert into settings (key, value) values ('board', '{"change": {"newsThreadsPerHour": 1000}}')`

let folder: string
let children: ChildProcess[]
let papers: Newspaper[]
let databases: TestDatabase[]
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-kill-'))
  children = []
  papers = []
  databases = []
})
afterEach(async () => {
  for (const child of children) await kill(child)
  for (const paper of papers) await paper.close()
  for (const database of databases) await database.close()
  rmSync(folder, { recursive: true, force: true })
})

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

interface Town {
  readonly paper: Newspaper
  /** Emits an event for each requested article and picture. */
  readonly moments: EventEmitter<{ request: [] }>
  readonly env: Readonly<Record<string, string>>
  /** Reads the database while no process is running. */
  look<T>(work: (db: Db) => Promise<T>): Promise<T>
}

async function openTown(name: string): Promise<Town> {
  const paper = await startNewspaper()
  papers.push(paper)
  const bytes = await pictureBytes()
  const moments = new EventEmitter<{ request: [] }>()
  paper.set('/picture.png', () => {
    moments.emit('request')
    return { body: bytes, headers: { 'content-type': 'image/png' } }
  })
  const head = `<meta property="og:image" content="${paper.url}/picture.png">`
  for (const article of ARTICLES) {
    paper.set(`/articles/${article.slug}`, () => {
      moments.emit('request')
      return { body: pageOf(article, { head }) }
    })
  }
  const dataDir = join(folder, name)
  mkdirSync(dataDir)
  const env = {
    ...{ PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, NEWS_FEEDS: `${paper.url}/even ${paper.url}/odd` },
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
  }
  const database = await openTestDatabase()
  databases.push(database)
  await sql.raw(MANY_AN_HOUR).execute(database.db)
  return { paper, moments, env: { ...env, DATABASE_URL: database.url }, look: (work) => work(database.db) }
}

const announcedBy = (part: number): number => Math.ceil((ARTICLES.length * part) / KILLS)

/** Puts the first parts of the articles into the feeds, some of them into both. */
function announce({ paper }: Town, part: number): void {
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
function start(town: Town, onLine: (line: string, child: ChildProcess) => void): ChildProcess {
  const child = spawn(process.execPath, [WORKER], { env: town.env, stdio: ['ignore', 'pipe', 'inherit'] })
  children.push(child)
  createInterface({ input: child.stdout }).on('line', (line) => onLine(line, child))
  return child
}

/** Kills a process at a random moment of its run. @returns false when the run ended before */
async function killOnce(town: Town, part: number, random: Random): Promise<boolean> {
  // Each new article and its picture, which is requested once, are events that make the run last.
  const untold = Math.max(announcedBy(part) - town.paper.asked('/picture.png'), 0)
  let left = 1 + random.below(STEPS + 2 * untold)
  const afterMs = random.below(WITHIN_MS)
  const child = start(town, (line) => {
    if (line.includes('a step begins')) happen()
  })
  const happen = (): void => {
    left -= 1
    if (left === 0) setTimeout(() => child.kill('SIGKILL'), afterMs)
  }
  town.moments.on('request', happen)
  await once(child, 'exit')
  town.moments.off('request', happen)
  return child.signalCode === 'SIGKILL'
}

async function finish(town: Town): Promise<RunReport> {
  let report: RunReport | null = null
  const child = start(town, (line) => {
    if (line.startsWith('done ')) report = JSON.parse(line.slice(5)) as RunReport
  })
  await once(child, 'close')
  if (report === null) throw new Error('the process ended before its run was over')
  return report
}

it('processes killed with -9 at many moments lose no article and publish none twice', async () => {
  const random = createRandom(20261121)
  const towns = [await openTown('east'), await openTown('west')]
  const seeds = towns.map(() => createRandom(random.below(1_000_000)))
  const published = await Promise.all(
    towns.map(async (town, index) => {
      for (let kills = 0; kills < KILLS;) {
        announce(town, kills + 1)
        if (await killOnce(town, kills + 1, seeds[index]!)) kills += 1
      }
      const { published: last } = await finish(town)
      // Otherwise no killed run has published anything.
      expect(await finish(town)).toMatchObject({ found: 0, stories: 0, published: 0 })
      return last
    }),
  )
  // At least one killed run must have published something, or the kills came too early.
  expect(Math.min(...published)).toBeLessThan(ARTICLES.length)
  for (const town of towns) {
    const titles = ARTICLES.map(({ title }) => title).toSorted()
    await town.look(async (db) => {
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
    })
  }
}, 600_000)
