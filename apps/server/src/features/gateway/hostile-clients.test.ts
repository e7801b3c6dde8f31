/**
 * Requests that no client sends. HOSTILE_REQUESTS=100000 sends more of them than the suite does;
 * HOSTILE_SEED sends others.
 */
import { Agent } from 'node:http'
import fc from 'fast-check'
import { expect } from 'vitest'
import { postInput } from '@shinobi/contract/posts'
import { NAMELESS } from '@shinobi/contract/nameless'
import { startThread } from '../../testing/board.ts'
import { createPostingClient } from '../../testing/dat-client.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { ask } from '../../testing/wire.ts'
import { selectThreadKeys } from '../threads/thread-keys.queries.ts'

const REQUESTS = Number(process.env['HOSTILE_REQUESTS'] ?? 1_500)
const SEED = Number(process.env['HOSTILE_SEED'] ?? 20_261_126)
const AT_ONCE = 20
/** Each takes a fraction of a millisecond, but for a busy machine and the long form. */
const TIMEOUT_MS = 60_000 + REQUESTS * 20

const it = boardTest

interface Hostile {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: Buffer
}

/** Values that a header field can have at all. */
const headerText = fc.string({ unit: 'grapheme-ascii', maxLength: 60 }).map((text) => text.trim())
const bytes = fc.uint8Array({ maxLength: 200 }).map((part) => Buffer.from(part))

/** @param places addresses and ids that exist. @param cookie of a client that may write */
function hostileRequests(key: string, cookie: string): fc.Arbitrary<Hostile> {
  const segment = fc.oneof(
    fc.constantFrom('general', 'dat', 'kako', 'test', 'read.cgi', 'bbs.cgi', `${key}.dat`, 'subject.txt', '..', ''),
    fc.string({ unit: 'binary', maxLength: 12 }).map((text) => encodeURIComponent(text.toWellFormed())),
    fc.constantFrom(
      '%83',
      '%83e',
      '%00',
      '%ff%fe',
      '9'.repeat(300),
      '-1.dat',
      '1e9.dat',
      '0x10.dat',
      // More than 16 kB of header fields close the connection.
      'a'.repeat(1_500),
    ),
  )
  const path = fc.oneof(
    fc.array(segment, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`),
    fc.constantFrom(`/general/dat/${key}.dat`, '/general/subject.txt', '/general/', '/bbsmenu.html', '/bbsmenu.json'),
    fc
      .tuple(fc.constantFrom('general', 'nowhere'), segment)
      .map(([board, at]) => `/test/read.cgi/${board}/${key}/${at}`),
  )
  const range = fc.oneof(
    headerText,
    fc
      .tuple(fc.integer({ min: -5, max: 5_000 }), fc.integer({ min: -5, max: 5_000 }))
      .map(([a, b]) => `bytes=${a}-${b}`),
    fc.nat({ max: 5_000 }).map((from) => `bytes=${from}-`),
    fc.constantFrom('bytes=0-,0-,0-,0-', `bytes=${'0-1,'.repeat(500)}`, 'bytes=99999999999999999999-'),
  )
  const headers = fc.record(
    {
      range,
      'if-modified-since': fc.oneof(headerText, fc.constantFrom('Thu, 01 Jan 1970 00:00:00 GMT', '9999-99-99')),
      'if-none-match': headerText,
      'if-range': headerText,
      'accept-encoding': fc.oneof(headerText, fc.constantFrom('gzip', 'br;q=0, gzip', '*')),
      cookie: fc.oneof(headerText, fc.constant(cookie), fc.constant(`client=${'f'.repeat(64)}`)),
    },
    { requiredKeys: [] },
  )
  const reads = fc.record({ method: fc.constantFrom('GET', 'HEAD'), path, headers })

  const escaped = bytes.map((part) => Array.from(part, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join(''))
  const value = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }).map((text) => encodeURIComponent(text.toWellFormed())),
    escaped,
    bytes.map((part) => part.toString('latin1').replaceAll('&', '')),
    fc.constantFrom('%83', '%8', '%', '&#0;', '%26%2355357%3B', '%26%23x110000%3B', 'general', key, 'sage', '%23abc'),
    fc.integer({ min: 1_000, max: 60_000 }).map((length) => '%82%a0'.repeat(length / 6)),
  )
  const name = fc.oneof(fc.constantFrom('bbs', 'key', 'time', 'FROM', 'mail', 'MESSAGE', 'subject', 'submit'), value)
  const wanted = fc.constant(`bbs=general&key=${key}&FROM=&mail=&`)
  const form = fc
    .tuple(fc.oneof(wanted, fc.constant('')), fc.array(fc.tuple(name, value), { maxLength: 60 }))
    .map(([start, fields]) => Buffer.from(start + fields.map((pair) => pair.join('=')).join('&'), 'latin1'))
  const type = fc.oneof(
    fc.constantFrom('application/x-www-form-urlencoded', 'application/x-www-form-urlencoded; charset=UTF-8'),
    fc.constantFrom('text/plain', 'application/json', 'multipart/form-data; boundary=x'),
  )
  const writes = fc.record({
    form,
    type,
    cookie: fc.constantFrom('', cookie, 'client=0'),
    body: bytes,
    isForm: fc.boolean(),
  })
  return fc.oneof(
    reads,
    writes.map(({ form, type, cookie, body, isForm }) => ({
      method: 'POST',
      path: '/test/bbs.cgi',
      headers: { 'content-type': type, ...(cookie !== '' && { cookie }) },
      body: isForm ? form : body,
    })),
  )
}

it(
  `${REQUESTS} hostile requests get an answer that is no failure, and write nothing that the web refuses`,
  { timeout: TIMEOUT_MS },
  async ({ board, guest }) => {
    const thread = await startThread(guest)
    const base = await board.listen()
    const { db } = board.database
    const key = String((await selectThreadKeys(db, [thread._id], thread.categoryId)).get(thread._id))
    const client = createPostingClient(base)
    await client.post({ bbs: 'general', key, FROM: '', mail: '', MESSAGE: '最初の書き込み' })
    const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const requests = fc.sample(hostileRequests(key, cookie), { numRuns: REQUESTS, seed: SEED })
    const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE })
    const statuses = new Map<number, number>()
    const failures: unknown[] = []
    const next = requests.values()
    const sendAll = async (): Promise<void> => {
      for (const { method, path, headers, body } of next) {
        const request = { method, headers, agent, ...(body !== undefined && { body }) }
        const answer = await ask(base + path, request).catch((error: Error) => ({ status: 599, error }))
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status >= 500) failures.push([answer, method, path.slice(0, 100), path.length, headers])
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, sendAll))
    agent.destroy()
    expect(failures).toEqual([])
    // Parts, refusals and posts were among them.
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 206, 404, 416]))
    const posts = await db.selectFrom('posts').select(['name', 'content', 'threadId', 'number']).execute()
    expect(posts.length).toBeGreaterThan(2)
    const refused = posts.filter(
      ({ name, content }) => !postInput.safeParse({ content, name: name ?? NAMELESS, sage: false }).success,
    )
    expect(refused).toEqual([])
    const numbers = posts.filter(({ threadId }) => threadId === thread._id).map(({ number }) => number)
    expect(new Set(numbers)).toEqual(new Set(numbers.map((_, index) => index + 1)))
  },
)
