/**
 * Costs for operators and first visitors: time to start, idle memory, and the script of the first
 * page.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { fetchRaw, headerOf } from '../lib/http.ts'
import { restMs, ROOT, startBoard, temporaryFolder, type BoardOptions } from '../lib/server.ts'
import { median } from '../lib/stats.ts'
import { togetherMegabytes } from '../lib/usage.ts'

const START = join(ROOT, 'scripts/start.mjs')
const SETTLE_MS = 10_000

const PLACES = [
  { name: 'PostgreSQL', goal: 1.5, memory: 150 },
  { name: 'embedded database', goal: 1.5, memory: 230 },
] as const

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  // A board per round, because those of all rounds idle at the same time. The first start creates
  // the data folder and secrets.
  const boards: BoardOptions[][] = []
  for (let round = 0; round < options.rounds; round += 1) {
    const databaseUrl = await cluster.copyBoard(`board_start_${round}`)
    boards.push([
      { databaseUrl, dataDir: temporaryFolder() },
      { databaseUrl: null, dataDir: temporaryFolder() },
    ])
    for (const board of boards[round]!) await timeStart(board)
  }
  const starts: number[][] = PLACES.map(() => [])
  for (const [round, pair] of boards.entries()) {
    progress(`start: round ${round + 1} of ${options.rounds}`)
    for (const [place, board] of pair.entries()) starts[place]!.push(await timeStart(board))
  }
  const rest = restMs(options)
  progress(`memory: all boards at rest for ${rest / 1_000} s`)
  const memory = await Promise.all(
    PLACES.map((_, place) => Promise.all(boards.map((pair) => memoryAtRest(pair[place]!, rest)))),
  )
  return [
    ...PLACES.map(({ name, goal }, place) =>
      toFigure(
        `start to first page, ${name}`,
        's',
        starts[place]!,
        atMost(goal),
        'from scripts/start.mjs, installed and built',
      ),
    ),
    ...PLACES.map(({ name, memory: goal }, place) =>
      toFigure(
        `resident memory at rest, ${name}`,
        'MB',
        memory[place]!.map(({ atRest }) => atRest),
        atMost(goal),
        `${rest / 1_000} s after the first page; ${say(median(memory[place]!.map(({ settled }) => settled)))} MB after ten`,
      ),
    ),
    await measureInitialJavaScript(boards[0]![0]!),
  ]
}

/** Seconds from the start of the process to the last byte of the home page. */
async function timeStart(options: BoardOptions): Promise<number> {
  const start = performance.now()
  const board = await startBoard({ ...options, script: START })
  const { status } = await fetchRaw(`${board.url}/`)
  const seconds = (performance.now() - start) / 1_000
  if (status !== 200) throw new Error(`the home page answered ${status}`)
  await board.stop()
  return seconds
}

async function memoryAtRest(options: BoardOptions, rest: number): Promise<{ settled: number; atRest: number }> {
  const board = await startBoard(options)
  // The embedded database is a child process of the server.
  const read = () => togetherMegabytes(board.pid) ?? Number.NaN
  await fetchRaw(`${board.url}/`)
  await sleep(SETTLE_MS)
  const settled = read()
  await sleep(rest - SETTLE_MS)
  const atRest = read()
  await board.stop()
  return { settled, atRest }
}

/** The home page's script and its preloaded modules, as transferred. */
async function measureInitialJavaScript(options: BoardOptions): Promise<Figure> {
  const board = await startBoard(options)
  const html = (await fetchRaw(`${board.url}/`)).body.toString()
  const tags = html.match(/<(?:script|link)\b[^>]*>/g) ?? []
  const paths = tags.flatMap((tag) => {
    if (!tag.startsWith('<script') && !/\brel="modulepreload"/.test(tag)) return []
    return /\b(?:src|href)="(\/[^"]+)"/.exec(tag)?.[1] ?? []
  })
  let bytes = 0
  for (const path of new Set(paths)) {
    const answer = await fetchRaw(`${board.url}${path}`, {
      'accept-encoding': 'gzip',
      origin: new URL(board.url).origin,
    })
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`)
    if (answer.body.length > 2_000 && headerOf(answer, 'content-encoding') !== 'gzip')
      throw new Error(`${path} is not compressed`)
    bytes += answer.body.length
  }
  await board.stop()
  if (bytes === 0) throw new Error('the home page names no script')
  const files = `${new Set(paths).size} files; page itself ${say(html.length / 1_000)} k characters`
  return toFigure('initial JavaScript of the home page', 'kB', [bytes / 1_000], atMost(140), files)
}

export const start: Row = { name: 'start', measure }
