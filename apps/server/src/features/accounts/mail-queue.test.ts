/**
 * Mails wait in the database for a mail server that is away, and are sent by one of several
 * processes.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import {
  openBoard,
  openTestDatabase,
  SECRET,
  signUp,
  START,
  visit,
  type Board,
  type TestDatabase,
} from '../../testing/board.ts'
import { openLog } from '../../testing/log-lines.ts'
import { freePort } from '../../lib/free-port.ts'
import { openMailServer, type MailServer } from '../../testing/outside/mail-server.ts'
import { METRICS_TOKEN, scrape } from '../../testing/scrape.ts'
import { createRetention } from '../../retention.ts'
import { PAUSES } from './mails.service.ts'

const SENDER = resolve(import.meta.dirname, '../../testing/mail-sender.ts')
const MINUTE = 60_000
const DAY = 1_440 * MINUTE

let port: number
let server: MailServer
let database: TestDatabase
let log: ReturnType<typeof openLog>
let board: Board
const boards: Board[] = []

async function openServer(): Promise<Board> {
  const settings = { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'board@example.jp', METRICS_TOKEN }
  const opened = await openBoard(settings, database, log)
  boards.push(opened)
  return opened
}

beforeEach(async () => {
  port = await freePort()
  server = await openMailServer(port)
  database = await openTestDatabase()
  log = openLog()
  board = await openServer()
})
afterEach(async () => {
  await Promise.all([server.close(), ...boards.splice(0).map((each) => each.close())])
  await database.close()
})

const rows = () => database.db.selectFrom('mails').selectAll().orderBy('id').execute()
const tokens = () => database.db.selectFrom('mailTokens').select(['purpose', 'email']).execute()
const events = async (from = board) => {
  const { figures } = await scrape(from)
  const count = (event: string) => figures.get(`shinobi_mail_events_total{event="${event}"}`) ?? 0
  return [count('queued'), count('sent'), count('failed_try'), count('given_up')]
}
const states = async () => {
  const { figures } = await scrape(board)
  return [figures.get('shinobi_mails{state="waiting"}'), figures.get('shinobi_mails{state="given_up"}')]
}
const givenUpLines = () => log.lines.filter(({ msg }) => msg === 'a mail was given up')
const messageIds = () => server.mails.map(({ headers }) => headers.get('message-id')?.[0])

let person = 0
async function register(on = board): Promise<string> {
  person += 1
  const email = `hanzo${person}@example.jp`
  const guest = visit(on, `198.51.100.${person}`)
  const account = { username: `服部半蔵${person}`, email, password: '忍びの合言葉 42' }
  expect((await guest.post('/auth/register', account)).status).toBe(201)
  await on.settle()
  return email
}

/** Advances the clock, and waits for the work that is due then. */
async function pass(milliseconds: number, on = board): Promise<void> {
  on.clock.now += milliseconds
  await on.settle()
}

describe('a queued mail', () => {
  it('is deleted once sent, and states in its text when the link expires', async () => {
    const email = await register()
    expect(server.mails).toMatchObject([{ to: [email] }])
    expect(server.mails[0]!.text).toContain('11月22日 13:03（日本時間）まで')
    expect(await rows()).toEqual([])
    expect(await events()).toEqual([1, 1, 0, 0])
    expect(await states()).toEqual([0, 0])
  })

  it('waits while the mail server is unreachable, without a readable token or address, and is sent when it is back', async () => {
    await server.close()
    const email = await register()
    const [row] = await rows()
    expect(row).toMatchObject({ purpose: 'verify', tries: 1, nextTryAt: new Date(START + MINUTE), problem: null })
    expect(JSON.stringify(row)).not.toContain(email)
    expect(await states()).toEqual([1, 0])
    await pass(MINUTE)
    expect(await rows()).toMatchObject([{ tries: 2 }])
    server = await openMailServer(port)
    await pass(5 * MINUTE)
    expect(server.mails).toMatchObject([{ to: [email] }])
    expect(server.mails[0]!.text).not.toContain(row!.sealedToken!)
    expect(await rows()).toEqual([])
    expect(await events()).toEqual([1, 1, 2, 0])
  })

  it('loses no try while the mail server accepts no mail', async () => {
    await server.close()
    for (const _ of [1, 2, 3]) await register()
    expect((await rows()).map(({ tries }) => tries)).toEqual([1, 0, 0])
    server = await openMailServer(port)
    await pass(MINUTE)
    expect(server.mails).toHaveLength(3)
  })

  it('that sets a new password is sent before those that confirm addresses', async () => {
    const member = await signUp(board)
    await server.close()
    for (const _ of [1, 2, 3]) await register()
    await visit(board).post('/auth/password/forgot', { email: `${member.userId}@example.jp` })
    await board.settle()
    server = await openMailServer(port)
    await pass(MINUTE)
    expect(server.mails).toHaveLength(4)
    expect(server.mails[0]!.to).toEqual([`${member.userId}@example.jp`])
  })

  it('is sent at once after the clock was set back, although the mail server was unreachable before', async () => {
    await server.close()
    await register()
    server = await openMailServer(port)
    board.clock.now -= 60 * MINUTE
    const email = await register()
    expect(server.mails.map(({ to }) => to[0])).toEqual([email])
  })

  it('is retried after a temporary refusal, which does not delay other mails', async () => {
    server.answer = 'later'
    const late = await register()
    server.answer = 'take'
    const early = await register()
    expect(server.mails.map(({ to }) => to[0])).toEqual([early])
    await pass(MINUTE)
    expect(server.mails.map(({ to }) => to[0])).toEqual([early, late])
    expect(await events()).toEqual([2, 2, 1, 0])
  })

  it('is given up at once when it is permanently refused, and is logged without its address', async () => {
    server.answer = 'refuse'
    const email = await register()
    expect(await rows()).toMatchObject([
      { problem: 'refused', tokenHash: null, sealedToken: null, nextTryAt: null, givenUpAt: new Date(START) },
    ])
    expect(givenUpLines()).toMatchObject([{ problem: 'refused', purpose: 'verify', tries: 1, responseCode: 550 }])
    expect(JSON.stringify(log.lines)).not.toContain(email.split('@')[0])
    server.answer = 'take'
    await pass(DAY)
    expect(server.mails).toEqual([])
    expect(await events()).toEqual([1, 0, 1, 1])
    expect(await states()).toEqual([0, 1])
    await createRetention(board.deps).sweep(START + 4 * DAY)
    expect(await rows()).toHaveLength(1)
    await createRetention(board.deps).sweep(START + 4 * DAY + 1)
    expect(await rows()).toEqual([])
  })

  it('is retried for a day with growing pauses, and then given up', async () => {
    server.answer = 'later'
    await register()
    for (const [index, minutes] of PAUSES.entries()) {
      await pass(minutes * MINUTE - 1)
      expect(await rows()).toMatchObject([{ tries: index + 1 }])
      await pass(1)
      expect((await rows())[0]).toMatchObject({ tries: index + 2 })
    }
    expect(await rows()).toMatchObject([{ problem: 'failed', sealedToken: null }])
    expect(board.clock.now - START).toBeGreaterThan(0.9 * DAY)
    expect(board.clock.now - START).toBeLessThan(DAY)
    expect(givenUpLines()).toMatchObject([{ problem: 'failed', tries: PAUSES.length + 1 }])
  })

  it('is not sent once its link has expired', async () => {
    const member = await signUp(board)
    server.answer = 'later'
    await visit(board).post('/auth/password/forgot', { email: `${member.userId}@example.jp` })
    await board.settle()
    server.answer = 'take'
    await pass(60 * MINUTE)
    expect(server.mails).toEqual([])
    expect(givenUpLines()).toMatchObject([{ problem: 'expired', purpose: 'reset' }])
  })

  it('whose link expires while the mail server is unreachable is given up by the sweep, before the token is deleted', async () => {
    await server.close()
    await register()
    // The board's own clock stays: its regular look at the queue would give the mail up first.
    const end = board.clock.now + DAY
    await createRetention(board.deps).sweep(end - 1)
    expect(await rows()).toMatchObject([{ problem: null }])
    await createRetention(board.deps).sweep(end)
    expect(await rows()).toMatchObject([{ problem: 'expired' }])
    expect(await tokens()).toEqual([])
    expect(givenUpLines()).toHaveLength(1)
  })

  it('whose link was used or replaced, or whose member is gone, is not sent', async () => {
    const member = await signUp(board)
    const email = `${member.userId}@example.jp`
    server.answer = 'later'
    const forget = async () => {
      await visit(board).post('/auth/password/forgot', { email })
      await board.settle()
    }
    await forget()
    const [first] = await rows()
    await forget()
    expect(await rows()).toHaveLength(1)
    expect((await rows())[0]!.id).not.toBe(first!.id)
    // Both links are valid: the first mail may have arrived, and only its answer was lost.
    expect(await tokens()).toHaveLength(2)
    const change = { currentPassword: '忍びの合言葉 42', password: '新しい合言葉 43' }
    expect((await member.put('/auth/password', change)).status).toBe(200)
    expect(await rows()).toEqual([])
    await forget()
    await database.db.deleteFrom('users').where('id', '=', member.userId).execute()
    server.answer = 'take'
    await pass(5 * MINUTE)
    expect(server.mails).toEqual([])
    expect(givenUpLines()).toEqual([])
  })

  it('is not queued when the registration that asks for it fails', async () => {
    server.answer = 'later'
    const email = await register()
    const { name } = await database.db
      .selectFrom('users')
      .select('name')
      .where('email', '=', email)
      .executeTakeFirstOrThrow()
    const again = { username: name, email: 'another@example.jp', password: '忍びの合言葉 42' }
    expect((await visit(board).post('/auth/register', again)).status).toBe(409)
    expect(await rows()).toHaveLength(1)
  })

  it('cannot be decrypted with another secret, and is given up then', async () => {
    server.answer = 'later'
    await register()
    await database.db.updateTable('mails').set({ sealedToken: 'v1.AAAA' }).execute()
    server.answer = 'take'
    await pass(MINUTE)
    expect(server.mails).toEqual([])
    expect(givenUpLines()).toMatchObject([{ problem: 'unreadable' }])
  })
})

describe('a member who requests the confirmation link', () => {
  it('gets "waiting" while the mail server is unreachable, and the mail later', async () => {
    const member = await signUp(board, undefined, { isConfirmed: false })
    await server.close()
    const answer = await member.post('/auth/email/send')
    expect(answer).toMatchObject({ status: 200, body: { message: messages.email_verification_waiting } })
    server = await openMailServer(port)
    await pass(MINUTE)
    expect(server.mails).toMatchObject([{ to: [`${member.userId}@example.jp`] }])
  })
})

describe('several processes', () => {
  it('send each mail once', async () => {
    await server.close()
    const other = await openServer()
    for (const on of [board, other, board, other]) await register(on)
    server = await openMailServer(port)
    for (const { clock } of [board, other]) clock.now += 5 * MINUTE
    await Promise.all([board.settle(), other.settle()])
    const recipients = server.mails.map(({ to }) => to[0])
    expect(recipients).toHaveLength(4)
    expect(new Set(recipients).size).toBe(4)
    expect(await rows()).toEqual([])
  })

  it('take over from one that is killed between the mail and its answer, under the same Message-ID', async () => {
    server.answer = 'later'
    await register()
    // The board's clock follows later: its regular look at the queue would take the mail first.
    const due = board.clock.now + MINUTE
    server.answer = 'silence'
    const silenced = server.silenced()
    const env = {
      ...{ DATABASE_URL: database.url, SMTP_URL: board.config.smtpUrl!, MAIL_FROM: board.config.mailFrom! },
      ...{ SESSION_SECRET: SECRET, NOW: String(due) },
    }
    const sender = spawn(process.execPath, [SENDER], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    await silenced
    sender.kill('SIGKILL')
    await once(sender, 'exit')
    server.answer = 'take'
    board.clock.now = due
    await pass(5 * MINUTE - 1)
    expect(server.mails).toHaveLength(1)
    await pass(1)
    expect(server.mails).toHaveLength(2)
    expect(new Set(messageIds()).size).toBe(1)
    expect(messageIds()[0]).toMatch(/^<[\w-]{36}@example\.jp>$/)
    expect(await rows()).toEqual([])
  })

  it('leave a mail that a stop interrupts to the next one, which need not wait', async () => {
    server.answer = 'silence'
    const silenced = server.silenced()
    void register().catch(() => {})
    await silenced
    const [under] = await rows()
    expect(under).toMatchObject({ tries: 1 })
    await board.close()
    boards.splice(boards.indexOf(board), 1)
    expect(await rows()).toMatchObject([{ id: under!.id, tries: 0, nextTryAt: new Date(START) }])
    server.answer = 'take'
    board = await openServer()
    await board.settle()
    expect(new Set(messageIds()).size).toBe(1)
    expect(messageIds()).toHaveLength(2)
  })
})
