/**
 * What a client without an account can do to all others: each attack, and its effect on another
 * visitor.
 */
import { execFile, spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Thread } from '@shinobi/contract/threads'
import { ROOT, temporaryFolder } from '../../bench/lib/server.ts'
import { median } from '../../bench/lib/stats.ts'
import { residentMegabytes } from '../../bench/lib/usage.ts'
import { readJson, type Answer } from '../lib/http.ts'
import { Ledger, PROBLEMS, type ProblemKind } from '../lib/ledger.ts'
import { Person } from '../lib/person.ts'
import { drawPicture } from '../lib/picture.ts'
import type { Scenario, Section, Torture } from '../lib/scenario.ts'
import { openSite, type Site } from '../lib/site.ts'

const TITLE = 'Attacks that need no account'
/**
 * In order. `also`: what the other visitor does besides reading and posting, where the attack
 * concerns it.
 */
const ATTACKS = [
  { name: 'bombs', title: 'a thread of anchors, drawn anew for each invented parameter and value' },
  { name: 'tokens', title: 'the same thread with a token that is none, 32 times at once' },
  { name: 'missing', title: 'pages that do not exist, 32 at once' },
  { name: 'searches', title: 'fourteen searches at a time for what is everywhere and nowhere' },
  { name: 'half-messages', title: '130 messages of 23.9 MB that never end' },
  { name: 'known-sid', title: '130 such messages over second connections for one socket' },
  { name: 'handshakes', title: 'handshakes of sockets, 32 at once' },
  { name: 'events', title: 'two hundred sockets of refused events' },
  { name: 'pings', title: 'eight sockets of nothing but pings' },
  { name: 'messages', title: 'eight sockets of messages of 56 kB of empty values' },
  { name: 'refused-forms', title: 'forms of 10 MB that are refused at once', also: 'picture' },
  { name: 'line', title: 'pictures that are one line of 63 million pixels' },
  { name: 'slow-forms', title: '32 forms from two addresses, a byte now and then', also: 'picture' },
  { name: 'log-ins', title: 'log-ins from the addresses of one IPv6 /48', also: 'login' },
  { name: 'long-posts', title: 'pages and searches of a thread of posts of 46 kB' },
  { name: 'unread', title: '300 pages of long posts that nobody reads' },
  { name: 'unended', title: '800 posts of 200 kB that never end' },
] as const
/** Attacks on the thread of long posts. */
const OF_LONG_POSTS = new Set<string>(['long-posts', 'unread'])
type Also = 'picture' | 'login' | null

/**
 * Limits: the factor by which another visitor waits longer (the median), and the memory of the
 * server.
 */
const RATIO_MAX = 3
const MEMORY_MAX_MB = 200
/** Below this nobody notices the delay, whatever its factor. */
const UNNOTICED_MS = 20
const MEASURE = { quietMs: 2_500, attackMs: 6_000 }
const IN_SHORT = { quietMs: 400, attackMs: 1_500 }
/** Time until an attack is under way. */
const BEGIN_MS = 1_500
const SEED = ['--threads', '400', '--posts', '8000']

async function run({ options, say, random }: Torture): Promise<Section[]> {
  const times = options.isShort ? IN_SHORT : MEASURE
  const ledger = new Ledger(say)
  const folder = temporaryFolder('torture')
  const dataDir = join(folder, 'data')
  mkdirSync(dataDir)
  const site = await openSite({
    ...{ databaseUrl: null, dataDir, logFile: join(folder, 'server.log') },
    onUnexpectedEnd: (how) => ledger.report('outage', how),
  })
  say(TITLE)
  await site.start()
  await fill(site)
  const reader = new Person(site.url, 1, { username: '門番の影', password: '忍びの合言葉 42' })
  await reader.send('/auth/register', { ...reader.account, email: 'monban@example.jp' })
  const bomb = await plant(site, '>>1'.repeat(999), 49)
  const long = await plant(site, '👨‍👩‍👧'.repeat(2_550), 80)
  const notes: string[] = []
  const faults = new Map<string, number>()
  // The short form runs beside other tests, so it only checks that everybody gets answers.
  const visitor: Visit = { reader, ledger, bomb, random, isPatient: options.isShort }
  // A server that has just started is slow, and grows by itself.
  await measure(() => visitOnce(visitor, null), times.quietMs)
  for (const { name, title, ...attack } of ATTACKS) {
    const also: Also = 'also' in attack ? attack.also : null
    const visit = (): Promise<number> => visitOnce(visitor, also)
    const quiet = await measure(visit, times.quietMs)
    const before = residentMegabytes(site.pid) ?? 0
    const attacked = OF_LONG_POSTS.has(name) ? long : bomb
    const attacker = begin(site, name, attacked, times.attackMs + BEGIN_MS)
    await sleep(BEGIN_MS)
    let most = before
    const watching = setInterval(() => (most = Math.max(most, residentMegabytes(site.pid) ?? 0)), 50)
    const during = await measure(visit, times.attackMs)
    const answered = await attacker
    clearInterval(watching)
    faults.set(title, 1)
    const [calm, busy, grown] = [median(quiet), median(during), Math.max(0, most - before)]
    const ratio = busy / calm
    const line =
      `${title}: another visitor waits ${busy.toFixed(1)} ms (${calm.toFixed(1)} ms before, ${ratio.toFixed(1)} ×), ` +
      `the server takes ${grown.toFixed(0)} MB more; the attacker was answered ${answered}`
    notes.push(`${line[0]!.toUpperCase()}${line.slice(1)}.`)
    say(line)
    if (options.isShort) continue
    if (ratio > RATIO_MAX && busy > UNNOTICED_MS) ledger.report('outage', `${title}: ${ratio.toFixed(1)} times as long`)
    if (grown > MEMORY_MAX_MB) ledger.report('outage', `${title}: ${grown.toFixed(0)} MB`)
  }
  const how = await site.stop()
  if (how.code !== 0) ledger.report('outage', 'the server did not stop as it should')
  const counts = Object.fromEntries(Object.keys(PROBLEMS).map((kind) => [kind, ledger.countOf(kind as ProblemKind)]))
  return [
    {
      ...{ title: TITLE, faults, recoveries: new Map(), notes, resends: 0, problems: ledger.problems },
      acknowledged: ledger.acknowledged,
      counts: counts as Section['counts'],
    },
  ]
}

/** Creates threads and posts, as a board has them. */
async function fill({ dataDir }: Site): Promise<void> {
  const seed = resolve(ROOT, 'apps/server/src/seed/seed.ts')
  await promisify(execFile)(process.execPath, [seed, ...SEED], { env: { ...process.env, DATA_DIR: dataDir } })
}

/** Creates a thread of posts of one text. */
async function plant({ url }: Site, text: string, answers: number): Promise<string> {
  const attacker = new Person(url, 66)
  const opened = await attacker.send('/api/threads', { title: '爆弾の間', content: text, category: 'general' })
  const { _id: id } = readJson<Thread>(opened)
  for (let count = 0; count < answers; count += 1) {
    await attacker.send(`/api/threads/${id}/posts`, { content: text, name: '爆弾魔' })
  }
  return id
}

/** Starts an attack. @returns its answers, once it is over */
function begin({ url }: Site, name: string, thread: string, milliseconds: number): Promise<string> {
  const program = resolve(ROOT, 'torture/attacker.ts')
  const child = spawn(process.execPath, [program, name, url, thread, String(milliseconds)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return new Promise((done) => {
    child.once('close', () => {
      const statuses = Object.entries(JSON.parse(said || '{}') as Record<string, number>)
      done(statuses.map(([status, times]) => `${status} ${times} times`).join(', ') || 'nothing')
    })
  })
}

async function measure(visit: () => Promise<number>, forMs: number): Promise<number[]> {
  const times: number[] = []
  for (const end = performance.now() + forMs; performance.now() < end || times.length < 5;) {
    times.push(await visit())
    await sleep(20)
  }
  return times
}

interface Visit {
  readonly reader: Person
  readonly ledger: Ledger
  /** A thread of long posts. */
  readonly bomb: string
  readonly random: () => number
  readonly isPatient: boolean
}

const LOGINS_EVERY = 3
let visits = 0
/**
 * One visitor reads and writes.
 * @param isPatient repeats what is refused for the moment
 * @returns the mean milliseconds of the requests
 */
async function visitOnce({ reader, ledger, bomb, random, isPatient }: Visit, also: Also): Promise<number> {
  visits += 1
  const calls = [
    () => reader.ask(`/api/threads/trending?limit=${1 + (visits % 20)}`),
    () => reader.ask('/'),
    () => reader.send('/api/threads', { title: `夜話 ${visits}`, content: '静かな夜だ', category: 'general' }),
  ]
  // Successful log-ins are limited, too.
  if (also === 'login' && visits % LOGINS_EVERY === 0) calls.push(() => reader.send('/auth/login', reader.account))
  if (also === 'picture') {
    const form = new FormData()
    form.set('content', `絵 ${visits}`)
    form.set('image', new Blob([new Uint8Array(drawPicture(random))], { type: 'image/png' }), 'a.png')
    calls.push(() => reader.ask(`/api/threads/${bomb}/posts`, { method: 'POST', body: form }))
  }
  const start = performance.now()
  for (const call of calls) {
    const { status } = await (isPatient ? patiently(call) : call())
    if (status === 0 || status >= 400) ledger.report('answer', `another visitor was answered ${status}`)
  }
  return (performance.now() - start) / calls.length
}

const PATIENCE_MS = 60_000
const NOT_NOW = new Set([0, 429, 503])
/** Repeats a request that is refused for the moment. */
async function patiently(call: () => Promise<Answer>): Promise<Answer> {
  for (const begun = performance.now(); ;) {
    const answer = await call()
    if (!NOT_NOW.has(answer.status) || performance.now() - begun > PATIENCE_MS) return answer
    await sleep(100)
  }
}

export const abuse: Scenario = { name: 'abuse', run }
