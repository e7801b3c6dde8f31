/** The figures on the terminal, as JSON, and as a page. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { isMet, say, type Figure } from './figure.ts'
import type { Options } from './options.ts'
import { plot } from './plot.ts'
import { ROOT } from './server.ts'

export interface Run {
  readonly options: Options
  /** Every row was measured. */
  readonly isWhole: boolean
  /** Version of PostgreSQL. */
  readonly postgres: string
  /** Share of the processor that other programs used, before each row. */
  readonly disturbance: readonly number[]
}

const withUnit = (value: number, unit: Figure['unit']): string => `${say(value)} ${unit}`

const goalOf = ({ goal, unit }: Figure): string =>
  goal === null ? '' : `${goal.is === 'at least' ? '≥' : '≤'} ${withUnit(goal.value, unit)}`

const verdictOf = (figure: Figure): string => ({ true: 'met', false: 'missed', null: '' })[`${isMet(figure)}`]

/**
 * Pads to columns of a terminal. Japanese characters would be two columns wide, but no text has
 * any.
 */
const pad = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - [...text].length))

/**
 * With more disturbance the figures are unreliable; pgbench, whose clients wait for each other,
 * suffers most.
 */
const DISTURBED = 0.1

function disturbanceNote({ disturbance }: Run): string {
  const most = Math.max(...disturbance)
  const note = `Before each row other programs used up to ${Math.round(most * 100)} % of the processor`
  return most < DISTURBED
    ? `${note}.`
    : `${note}: this run was disturbed, its times are too long, and its ratios to pgbench too high.`
}

export function printFigures(figures: readonly Figure[]): void {
  const lines = figures.map((figure) => [
    figure.what,
    withUnit(figure.value, figure.unit),
    goalOf(figure),
    verdictOf(figure),
    figure.detail,
  ])
  const widths = [0, 1, 2, 3].map((column) => Math.max(...lines.map((line) => [...line[column]!].length)))
  for (const line of lines) console.log(line.map((text, column) => pad(text, widths[column] ?? 0)).join('  '))
}

/** Only a complete run with enough rounds changes the page in docs/. */
export function writeReport(figures: readonly Figure[], run: Run): void {
  const machine = {
    date: new Date().toISOString().slice(0, 10),
    cores: cpus().length,
    memoryGigabytes: Math.round(totalmem() / 1e9),
    node: process.versions.node,
    postgresql: run.postgres,
    disturbance: run.disturbance.map((share) => Number(share.toFixed(2))),
  }
  console.log(disturbanceNote(run))
  const output = join(ROOT, 'bench/.output')
  mkdirSync(output, { recursive: true })
  const results = figures.map((figure) => ({ ...figure, met: isMet(figure) }))
  const json = { machine, rounds: run.options.rounds, secondsPerRound: run.options.seconds, results }
  writeFileSync(join(output, 'results.json'), `${JSON.stringify(json, null, 2)}\n`)
  if (!run.isWhole || run.options.quick || run.options.rounds < 3) {
    console.log('bench/.output/results.json is written; docs/bench.md takes a whole run of at least 3 rounds.')
    return
  }
  mkdirSync(join(ROOT, 'docs'), { recursive: true })
  writeFileSync(join(ROOT, 'docs/bench.svg'), plot(figures))
  writeFileSync(join(ROOT, 'docs/bench.md'), page(figures, run, machine))
  console.log('bench/.output/results.json, docs/bench.md and docs/bench.svg are written.')
}

function page(figures: readonly Figure[], run: Run, machine: Record<string, unknown>): string {
  const { options } = run
  const lines = figures.map((figure) => {
    const rounds = figure.rounds.map(say).join(', ')
    const value = `**${withUnit(figure.value, figure.unit)}**`
    return `| ${[figure.what, goalOf(figure), value, verdictOf(figure), rounds, figure.detail].join(' | ')} |`
  })
  return `# Measured

Written by \`npm run bench\` on ${machine['date']}: ${machine['cores']} cores, ${machine['memoryGigabytes']} GB
memory, Node ${machine['node']}, PostgreSQL ${machine['postgresql']}. One server process; the database, the load and the references
run on the same cores. Each value is the median of ${options.rounds} rounds; a round under load is
${options.seconds} turns of a second with the board, each followed by one with the reference. ${disturbanceNote(run)}

What bounds the rows that miss their goal: [performance.md](performance.md).

![Each value against its goal](bench.svg)

| what | goal | measured | | rounds | figures behind it |
|---|---|---|---|---|---|
${lines.join('\n')}

## How

- × is a ratio to a reference that is measured in turns with the board, so that a noisy machine cancels out. All else is
  given as it is, and depends on the machine and on what else runs there.
- Everything is on loopback. The server starts as in production with PostgreSQL that waits for the disk at every commit
  (fsync on). Load, references and receivers are processes of their own.
- Cached answers: 50 kept-alive connections, \`Accept-Encoding\` as browsers send it (so brotli). The reference is a bare
  \`node:http\` server with the same status, headers and bytes. "By processor time" compares what a request costs the
  server's process; it counts where the load program, not the server, sets the pace.
- Not cached, first visit: each thread is opened once, so the page is rendered and its posts come from the database.
  Queries are counted on the wire between server and database. Not cached, data at hand: asked for by another site's page, whose
  answer is not kept, so that only the rendering is not cached. One request after the other; the time is the client's.
- Acknowledged posts: 100 Socket.IO clients, each with five posts under way, one nickname for each client, no reader.
  The reference is pgbench with 10 clients and prepared statements in the same cluster: raise the thread's counter, insert
  the post, commit. Over 1,000 threads every client keeps to ten of its own; pgbench takes any at random.
- Delivery: 500 sockets in one thread. Its time runs from the sender's \`emit\` to the handler in each of the 500 clients
  (socket.io-client, one process), with one monotonic clock. The throughput is counted by plain \`ws\` clients, with eight posts
  under way, the next one sent when one has reached all 500; the reference is a \`ws\` server that sends the same text to every client.
- Idle sockets: plain \`ws\` clients in a process of their own that join a thread and answer pings. Resident memory with them less
  resident memory before, each after 35 seconds at rest, divided by their number.
- Two sizes: the boards are filled by COPY with made-up texts whose words follow Zipf's law (a vocabulary of two million), ten posts a
  thread over 90 days, and the search index exactly as its indexer writes it. Two servers, one PostgreSQL; the same call to either in
  turns, each with an address that no cache knows. Ratios are of medians; the call that grows most speaks for its area.
- Search: words drawn anew for every request; each kind is a row of its own inside the figure, and the slowest counts. Indexing: the
  same flood of posts with texts of 60 different characters and of 60 equal ones, of which the index takes two entries.
- Thread list under load: 500 requests a second at a steady pace, timed from the moment each was due.
- Lighthouse: its defaults for a phone (slow 4G and a quarter of this processor, simulated), Debian's Chromium.
- Scrolling: Chromium with the screen of a phone at a quarter of this processor (\`Emulation.setCPUThrottlingRate\`), a fling of
  some 5,000 pixels a second from the first post to the last; tasks over 50 ms as the page itself hears of them (\`longtask\`),
  after loading. Rendering, layout and painting count.
- Start: from \`node scripts/start.mjs\` (what \`npm start\` runs) to the last byte of the home page. Memory: resident, four
  minutes after the first page, when V8 has given back what starting needed and nothing else does. Initial JavaScript: the script and its module preloads named in the page, gzip.
`
}
