/**
 * A phone's view, by Lighthouse in Chromium: performance, accessibility, best practices and SEO.
 */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { atLeast, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { onEnd } from '../lib/cleanup.ts'
import { listFilled } from '../lib/fill.ts'
import { fetchRaw } from '../lib/http.ts'
import { ROOT, startBoard, temporaryFolder } from '../lib/server.ts'
import { median } from '../lib/stats.ts'

const LIGHTHOUSE = join(ROOT, 'node_modules/.bin/lighthouse')
const CHROMIUM = process.env['CHROME_PATH'] ?? '/usr/bin/chromium'
const FLAGS =
  '--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync'
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const

/** Metrics of the performance score, in milliseconds (the layout shift has no unit). */
const METRICS = {
  'first-contentful-paint': 'first paint',
  'largest-contentful-paint': 'largest paint',
  'total-blocking-time': 'blocked',
  'cumulative-layout-shift': 'shift',
} as const

interface Audit {
  readonly scores: Readonly<Record<(typeof CATEGORIES)[number], number>>
  readonly metrics: Readonly<Record<keyof typeof METRICS, number>>
}

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  if (!existsSync(CHROMIUM))
    throw new Error(`Chromium was not found at ${CHROMIUM} (Debian: apt-get install chromium; else set CHROME_PATH).`)
  const databaseUrl = await cluster.copyBoard('board_lighthouse')
  const { long } = await listFilled(databaseUrl)
  const board = await startBoard({ databaseUrl })
  const pages = [
    { what: '/', path: '/' },
    { what: `/thread/:id (${long.posts} posts)`, path: `/thread/${long.id}` },
    { what: '/categories', path: '/categories' },
  ]
  const rounds: Audit[][] = pages.map(() => [])
  for (let round = 0; round < options.rounds; round += 1) {
    for (const [index, { what, path }] of pages.entries()) {
      progress(`Lighthouse on ${what}: round ${round + 1} of ${options.rounds}`)
      await fetchRaw(`${board.url}${path}`)
      rounds[index]!.push(await audit(`${board.url}${path}`))
    }
  }
  await board.stop()
  return pages.map(({ what }, index) => {
    const audits = rounds[index]!
    const scores = CATEGORIES.map((name) => `${name} ${median(audits.map((one) => one.scores[name]))}`)
    const metrics = Object.entries(METRICS).map(
      ([name, label]) => `${label} ${say(median(audits.map((one) => one.metrics[name as keyof typeof METRICS])))}`,
    )
    return toFigure(
      `Lighthouse, phone, ${what}: lowest of four`,
      'points',
      audits.map((one) => Math.min(...Object.values(one.scores))),
      atLeast(95),
      `${scores.join(', ')}; ${metrics.join(', ')} (ms)`,
    )
  })
}

/**
 * Lighthouse sometimes loses the beginning of its own trace (NO_NAVSTART), which is no fault of the
 * page.
 */
const TRIES = 3

async function audit(url: string): Promise<Audit> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await auditOnce(url)
    } catch (error) {
      if (tries === TRIES || !/NO_NAVSTART/.test((error as Error).message)) throw error
    }
  }
}

async function auditOnce(url: string): Promise<Audit> {
  const folder = temporaryFolder()
  const report = join(folder, 'report.json')
  const child = spawn(
    LIGHTHOUSE,
    [
      ...[url, '--output=json', `--output-path=${report}`, '--quiet', '--no-enable-error-reporting'],
      ...[`--only-categories=${CATEGORIES.join(',')}`, `--chrome-flags=${FLAGS} --user-data-dir=${folder}/profile`],
    ],
    { env: { ...process.env, CHROME_PATH: CHROMIUM }, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const forget = onEnd(() => child.kill('SIGKILL'))
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4_000)))
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  child.on('error', reject)
  child.on('close', (code) => (code === 0 ? resolve() : reject(new Error(`Lighthouse failed: ${said}`))))
  await promise
  forget()
  const { categories, audits } = JSON.parse(readFileSync(report, 'utf8')) as {
    categories: Record<string, { score: number | null }>
    audits: Record<string, { numericValue?: number }>
  }
  const from = <K extends string>(names: readonly K[], valueOf: (name: K) => number | null | undefined) =>
    Object.fromEntries(
      names.map((name) => {
        const value = valueOf(name)
        if (value == null) throw new Error(`Lighthouse told nothing of ${name} for ${url}`)
        return [name, value]
      }),
    ) as Record<K, number>
  return {
    scores: from(CATEGORIES, (name) => Math.round((categories[name]?.score ?? Number.NaN) * 100)),
    metrics: from(Object.keys(METRICS) as (keyof typeof METRICS)[], (name) => audits[name]?.numericValue),
  }
}

export const lighthouse: Row = { name: 'lighthouse', measure }
