/** What an operator and a first visitor notice: time to start, memory at rest, and what the browser must load. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { fetchRaw, headerOf } from '../lib/http.ts'
import { ROOT, startBoard, temporaryFolder, type BoardOptions } from '../lib/server.ts'
import { residentMegabytes } from '../lib/usage.ts'

const START = join(ROOT, 'scripts/start.mjs')
const REST_MS = 10_000

async function measure({ options, cluster, say: progress }: Bench): Promise<Figure[]> {
  const databaseUrl = await cluster.copyBoard('board_start')
  const places = [
    { name: 'PostgreSQL', goal: 1.5, memory: 150, board: { databaseUrl, dataDir: temporaryFolder() } },
    { name: 'embedded database', goal: 3, memory: null, board: { databaseUrl: null, dataDir: temporaryFolder() } },
  ]
  // The very first start makes data folder, secrets and the embedded database.
  for (const { board } of places) await timeStart(board)
  const rounds: number[][] = places.map(() => [])
  const memory: number[][] = places.map(() => [])
  for (let round = 0; round < options.rounds; round += 1) {
    progress(`start and memory: round ${round + 1} of ${options.rounds}`)
    for (const [index, { board }] of places.entries()) {
      rounds[index]!.push(await timeStart(board))
      memory[index]!.push(await memoryAtRest(board))
    }
  }
  return [
    ...places.map(({ name, goal }, index) =>
      toFigure(
        `start to first page, ${name}`,
        's',
        rounds[index]!,
        atMost(goal),
        'from scripts/start.mjs, installed and built',
      ),
    ),
    ...places.map(({ name, memory: goal }, index) =>
      toFigure(
        `resident memory at rest, ${name}`,
        'MB',
        memory[index]!,
        goal === null ? null : atMost(goal),
        'ten seconds after the first page',
      ),
    ),
    await measureInitialJavaScript(places[0]!.board),
  ]
}

/** Seconds from the start of the program to the last byte of the home page. */
async function timeStart(options: BoardOptions): Promise<number> {
  const start = performance.now()
  const board = await startBoard({ ...options, script: START })
  const { status } = await fetchRaw(`${board.url}/`)
  const seconds = (performance.now() - start) / 1_000
  if (status !== 200) throw new Error(`the home page answered ${status}`)
  await board.stop()
  return seconds
}

async function memoryAtRest(options: BoardOptions): Promise<number> {
  const board = await startBoard(options)
  await fetchRaw(`${board.url}/`)
  await sleep(REST_MS)
  const megabytes = residentMegabytes(board.pid)
  await board.stop()
  return megabytes ?? Number.NaN
}

/** The script of the home page and the modules that it preloads, as they go over the wire. */
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
  return toFigure('initial JavaScript of the home page', 'kB', [bytes / 1_000], atMost(130), files)
}

export const start: Row = { name: 'start', measure }
