/**
 * Calls that must cost the same on a board a hundred times as large: the same calls to two servers,
 * alternating, with one board each.
 */
import pg from 'pg'
import { openBoards, sizeOf } from '../lib/boards.ts'
import { atMost, say, toFigure, type Bench, type Figure, type Row } from '../lib/figure.ts'
import { fetchRaw, headerOf, PAST_THE_CACHE } from '../lib/http.ts'
import { ABSENT_WORD, commonWord, rareWord } from '../lib/natural-text.ts'
import { openStaff, type Staff } from '../lib/people.ts'
import { startBoard, type Board } from '../lib/server.ts'
import { median } from '../lib/stats.ts'

const TURNS = 15
const QUICK_TURNS = 5
const SAMPLE = 500

/** The n-th instance of a call: never the same address twice, so that no cache answers. */
interface Call {
  readonly name: string
  readonly cookie?: string
  readonly path: (turn: number) => string
}

const AREAS = [
  'list',
  'list by speed or last post',
  'page of posts',
  'search (2 characters)',
  'trending',
  'profile rooms',
  'admin pages',
] as const
type Area = (typeof AREAS)[number]

/** A board with a server, and the calls to it. */
export interface Side {
  readonly board: Board
  readonly staff: Staff
  readonly calls: Readonly<Record<Area, readonly Call[]>>
}

async function measure(bench: Bench): Promise<Figure[]> {
  const boards = await openBoards(bench)
  const sides = [await openSide(boards.large.url), await openSide(boards.small.url)] as const
  const figures: Figure[] = []
  for (const area of AREAS) {
    const compared = `${area}: ${sizeOf(boards.large)} ÷ ${sizeOf(boards.small)}`
    figures.push(toAreaFigure(compared, await compareCalls(bench, sides, area), 1.3))
  }
  for (const { board } of sides) await board.stop()
  return figures
}

/** A call to the first of two boards and to the second, in each round. */
interface Compared {
  readonly name: string
  readonly rounds: readonly { readonly first: readonly number[]; readonly second: readonly number[] }[]
}

let turn = 0

/** Times the calls of an area on two boards in turns. */
export async function compareCalls(
  { options, say: progress }: Pick<Bench, 'options' | 'say'>,
  [first, second]: readonly [Side, Side],
  area: Area,
): Promise<Compared[]> {
  const turns = options.quick ? QUICK_TURNS : TURNS
  const compared: Compared[] = []
  for (const [index, call] of first.calls[area].entries()) {
    const [here, there] = [() => time(first.board, call), () => time(second.board, second.calls[area][index]!)]
    // The first calls parse and plan their statements on each of the server's connections.
    for (let warm = 0; warm < 3; warm += 1) await here().then(there)
    const rounds: { first: number[]; second: number[] }[] = []
    for (let round = 0; round < options.rounds; round += 1) {
      progress(`${area}, ${call.name}: round ${round + 1} of ${options.rounds}`)
      const times = { first: [] as number[], second: [] as number[] }
      for (let count = 0; count < turns; count += 1) {
        turn += 1
        times.first.push(await here())
        times.second.push(await there())
      }
      rounds.push(times)
    }
    compared.push({ name: call.name, rounds })
  }
  return compared
}

/** The call with the greatest ratio represents its area. */
export function toAreaFigure(what: string, calls: readonly Compared[], goal: number): Figure {
  const rated = calls
    .map(({ name, rounds }) => {
      const ratios = rounds.map((times) => median(times.first) / median(times.second))
      const milliseconds = (side: 'first' | 'second'): string => say(median(rounds.map((times) => median(times[side]))))
      return { name, ratios, ratio: median(ratios), times: `${milliseconds('first')} ÷ ${milliseconds('second')} ms` }
    })
    .toSorted((one, other) => other.ratio - one.ratio)
  const others = rated.slice(1, 4).map(({ name, ratio, times }) => `${name} ${say(ratio)} × (${times})`)
  const worst = rated[0]!
  return toFigure(
    what,
    '×',
    worst.ratios,
    atMost(goal),
    [`slowest to grow of ${calls.length}: ${worst.name}, ${worst.times}`, ...others].join('; '),
  )
}

async function time(board: Board, { name, cookie, path }: Call): Promise<number> {
  const start = performance.now()
  const { status, body } = await fetchRaw(
    `${board.url}${path(turn)}`,
    cookie === undefined ? PAST_THE_CACHE : { cookie },
  )
  const milliseconds = performance.now() - start
  if (status !== 200) throw new Error(`${name}: ${path(turn)} answered ${status} ${body.toString().slice(0, 200)}`)
  return milliseconds
}

export async function openSide(url: string): Promise<Side> {
  const board = await startBoard({ databaseUrl: url })
  const staff = await openStaff(board, url)
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const idsOf = async (query: string): Promise<string[]> =>
    (await client.query<{ id: string }>(query)).rows.map(({ id }) => id)
  // Evenly distributed over the whole board, old and new, and the same in every run.
  const threads = await idsOf(`select id from threads where "removedAt" is null order by md5(id::text) limit ${SAMPLE}`)
  const [category] = await idsOf('select id from categories order by position offset 1 limit 1')
  await client.end()
  const one = (ids: readonly string[], turn: number): string => ids[(turn * 7) % ids.length]!
  const deep = await cursorAfter(board, 5)
  const deepActive = await cursorAfter(board, 5, 'active')
  return {
    board,
    staff,
    calls: {
      list: [
        { name: 'newest', path: () => `/api/threads` },
        { name: 'sixth page', path: () => `/api/threads?cursor=${deep}` },
        { name: 'oldest', path: () => `/api/threads?sort=oldest` },
        { name: 'most posts', path: () => `/api/threads?sort=popular` },
        { name: 'one category', path: () => `/api/categories/${category}/threads` },
      ],
      'list by speed or last post': [
        { name: '勢い順', path: () => `/api/threads?sort=speed` },
        { name: '勢い順 of one category', path: () => `/api/categories/${category}/threads?sort=speed` },
        { name: '最終レス順', path: () => `/api/threads?sort=active` },
        { name: '最終レス順 of one category', path: () => `/api/categories/${category}/threads?sort=active` },
        { name: 'sixth page of 最終レス順', path: () => `/api/threads?sort=active&cursor=${deepActive}` },
      ],
      'page of posts': [
        { name: 'any thread', path: (turn) => `/api/threads/${one(threads, turn)}/posts` },
        { name: 'its end', path: (turn) => `/api/threads/${one(threads, turn)}/posts?before=1000000` },
      ],
      'search (2 characters)': [
        { name: 'a common word', path: (turn) => searchPath(commonWord(turn).slice(0, 2)) },
        { name: 'a rare word', path: (turn) => searchPath(rareWord(turn).slice(0, 2)) },
        { name: 'no hit', path: () => searchPath(ABSENT_WORD.slice(0, 2)) },
      ],
      trending: [
        { name: 'the board', path: () => `/api/threads/trending` },
        { name: 'one category', path: () => `/api/categories/${category}/trending` },
      ],
      'profile rooms': [{ name: 'a member of 1,000 rooms', cookie: staff.admin, path: () => '/auth/profile' }],
      'admin pages': await adminCalls(board, staff),
    },
  }
}

const searchPath = (words: string): string => `/api/threads?search=${encodeURIComponent(words)}`

/** The cursor after turning this many pages of an order. */
async function cursorAfter(board: Board, pages: number, sort = 'newest'): Promise<string> {
  let cursor = ''
  for (let page = 0; page < pages; page += 1) {
    const answer = await fetchRaw(`${board.url}/api/threads?sort=${sort}${cursor === '' ? '' : `&cursor=${cursor}`}`)
    const [, next] = /[?&]cursor=([^&>]+)/.exec(headerOf(answer, 'link') ?? '') ?? []
    if (next === undefined) throw new Error('the list ended too soon')
    cursor = next
  }
  return cursor
}

const QUEUES = ['queue', 'cases', 'cases?sort=oldest', 'cases?status=closed', 'held', 'bans']

async function adminCalls(board: Board, { admin, moderator, idle }: Staff): Promise<Call[]> {
  const calls = (who: string, cookie: string, paths: readonly string[]): Call[] =>
    paths.map((path) => ({ name: `${who} ${path}`, cookie, path: () => `/api/admin/${path}` }))
  return [
    ...calls('admin', admin, ['dashboard', 'users?q=member7', 'categories', ...QUEUES, 'bans?standing=false']),
    ...calls('admin', admin, ['words', 'audit', 'shields', 'tracing', 'settings']),
    ...(await pagesOf(board, 'admin', admin, ['users', 'threads', 'posts'])),
    ...calls('moderator', moderator, QUEUES),
    ...(await pagesOf(board, 'moderator', moderator, ['threads', 'posts'])),
    ...calls('idle moderator', idle, ['threads', 'posts', ...QUEUES]),
    { name: 'public log', path: () => `/api/moderation-log` },
  ]
}

/** The first, middle and last page of each list. */
async function pagesOf(board: Board, who: string, cookie: string, lists: readonly string[]): Promise<Call[]> {
  const calls: Call[] = []
  for (const list of lists) {
    const { body } = await fetchRaw(`${board.url}/api/admin/${list}`, { cookie })
    const { totalPages } = (JSON.parse(body.toString()) as { pagination: { totalPages: number } }).pagination
    const pages = { first: 1, middle: Math.ceil(totalPages / 2), last: totalPages }
    for (const [name, page] of Object.entries(pages))
      calls.push({ name: `${who} ${list}, ${name} page`, cookie, path: () => `/api/admin/${list}?page=${page}` })
  }
  return calls
}

export const scale: Row = { name: 'scale', measure }
