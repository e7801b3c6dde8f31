/**
 * Reading a full thread to its end on a phone with a quarter of this processor: tasks of the page
 * that keep it from answering a finger.
 */
import { existsSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { chromium, type Browser, type Page } from '@playwright/test'
import { onEnd } from '../lib/cleanup.ts'
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { listFilled, type FilledThread } from '../lib/fill.ts'
import { startBoard } from '../lib/server.ts'
import { median } from '../lib/stats.ts'

const CHROMIUM = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium-headless-shell'
const SLOWDOWN = 4
/** A fling of some 5,000 pixels a second, as long as the page keeps up. */
const STEP_PX = 250
const STEP_MS = 45
/** The page has loaded and hydrated; what that costs is measured by Lighthouse. */
const REST_MS = 5_000
const ENOUGH_MS = 300_000

interface Reading {
  /** Milliseconds of the tasks above 50 ms. */
  readonly tasks: readonly number[]
  readonly seconds: number
}

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  if (!existsSync(CHROMIUM))
    throw new Error(`Chromium was not found at ${CHROMIUM} (Debian: apt-get install chromium-headless-shell).`)
  const databaseUrl = await cluster.copyBoard('board_scrolling')
  const { full } = await listFilled(databaseUrl)
  const board = await startBoard({ databaseUrl })
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] })
  const forget = onEnd(() => browser.close())
  const readings: Reading[] = []
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`scrolling through ${full.posts} posts: round ${round + 1} of ${options.rounds}`)
    readings.push(await readThrough(browser, `${board.url}/thread/${full.id}`, full))
  }
  await browser.close()
  forget()
  await board.stop()
  const over = (ms: number): string =>
    say(median(readings.map(({ tasks }) => tasks.filter((duration) => duration > ms).length)))
  return [
    toFigure(
      `scrolling through ${full.posts.toLocaleString('en-US')} posts, a quarter of this processor: longest task`,
      'ms',
      readings.map(({ tasks }) => Math.max(0, ...tasks)),
      atMost(100),
      `${over(50)} tasks over 50 ms, ${over(100)} over 100 ms in ${say(median(readings.map(({ seconds }) => seconds)))} s`,
    ),
  ]
}

async function readThrough(browser: Browser, url: string, { posts }: FilledThread): Promise<Reading> {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    locale: 'ja-JP',
  })
  const page = await context.newPage()
  await page.addInitScript({ content: NOTE_TASKS })
  const session = await context.newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN })
  await page.goto(url)
  await sleep(REST_MS)
  await takeTasks(page)
  const start = performance.now()
  while (!(await isAtEnd(page, posts))) {
    if (performance.now() - start > ENOUGH_MS) throw new Error('The end of the thread was not reached.')
    for (let step = 0; step < 10; step += 1) {
      await page.mouse.wheel(0, STEP_PX)
      await sleep(STEP_MS)
    }
  }
  const seconds = (performance.now() - start) / 1_000
  const tasks = await takeTasks(page)
  await context.close()
  return { tasks, seconds }
}

// Texts, because the bench is compiled without the names of a browser.
const NOTE_TASKS = `
  globalThis.tasks = []
  new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
    type: 'longtask',
  })
`

const takeTasks = (page: Page): Promise<number[]> => page.evaluate<number[]>('tasks.splice(0)')

const isAtEnd = (page: Page, last: number): Promise<boolean> =>
  page.evaluate<boolean>(`document.getElementById('${last}')?.getBoundingClientRect().top < innerHeight`)

export const scrolling: Row = { name: 'scrolling', measure }
