import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import { connectTo, openBoard, PASSWORD, signUp, visit, type Board, type Guest } from '../../testing/board.ts'
import { countLockWaits } from '../../testing/lock-waits.ts'
import { openMailServer, type MailServer, type ReceivedMail } from '../../testing/outside/mail-server.ts'
import { statementsOfRequests } from '../../testing/request-statements.ts'
import { createMailer } from './mailer.ts'
import { hashing } from './hashing.ts'

let server: MailServer
let board: Board
beforeAll(async () => {
  server = await openMailServer()
  board = await openBoard({ SMTP_URL: server.url, MAIL_FROM: 'board@example.jp' })
})
afterAll(async () => {
  await board.close()
  await server.close()
})

/** Every test has its own 半蔵, at an IP address of his own. */
let person = 0
let hanzo = { username: '', email: '', password: '' }
beforeEach(() => {
  person += 1
  hanzo = { username: `服部半蔵${person}`, email: `hanzo${person}@example.jp`, password: '忍びの合言葉 42' }
})
afterEach(async () => {
  vi.restoreAllMocks()
  await board.settle()
  server.mails.length = 0
  server.answer = 'take'
})

const NEXT = '新しい合言葉 43'

interface Answer {
  readonly message: string
  readonly code?: string
}
const come = () => visit(board, `198.51.100.${person}`)
const forget = (guest: Guest, email: string) => guest.post<Answer>('/auth/password/forgot', { email })
const reset = (guest: Guest, token: string, password = NEXT) =>
  guest.post<Answer>('/auth/password/reset', { token, password })
const logIn = async (username: string, password: string) =>
  (await come().post('/auth/login', { username, password })).status
const isKnown = async (guest: Guest) => (await guest.post('/auth/verify')).status === 200

const tokenIn = (mail: ReceivedMail | undefined, page: string): string =>
  new RegExp(`^http://localhost/${page}#([\\w-]{43})$`, 'm').exec(mail?.text ?? '')![1]!

/** The next mail that the previous request caused. */
async function nextMail(): Promise<ReceivedMail | undefined> {
  await board.settle()
  return server.mails.shift()
}

const userOf = (email: string) =>
  board.database.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst()
const isVerified = async (email = hanzo.email) => (await userOf(email))?.emailVerifiedAt != null

describe('registration with a mail address', () => {
  it('sends a mail, whose link confirms the address each time it is opened', async () => {
    const guest = come()
    await guest.post('/auth/register', hanzo)
    const mail = await nextMail()
    expect(mail).toMatchObject({ from: 'board@example.jp', to: [hanzo.email] })
    expect(mail?.headers.get('subject')).toEqual(['【忍板】メールアドレスの確認'])
    expect(mail?.headers.get('from')).toEqual(['忍板 <board@example.jp>'])
    expect(mail?.headers.get('content-type')?.[0]).toContain('text/plain')
    expect(await isVerified()).toBe(false)
    const token = tokenIn(mail, 'verify-email')
    for (const _ of [1, 2]) {
      const answer = await come().post('/auth/email/verify', { token })
      expect(answer).toMatchObject({ status: 200, body: { message: messages.email_verified } })
    }
    expect(await isVerified()).toBe(true)
  })

  it('succeeds though no mail can be sent', async () => {
    server.answer = 'refuse'
    expect((await come().post('/auth/register', hanzo)).status).toBe(201)
    expect(await nextMail()).toBeUndefined()
  })

  it('sends no mail when it is refused', async () => {
    await come().post('/auth/register', hanzo)
    await nextMail()
    await come().post('/auth/register', { ...hanzo, email: `another.${hanzo.email}` })
    expect(await nextMail()).toBeUndefined()
  })
})

describe('an address that a member has confirmed', () => {
  /** Another person registers with it, in another spelling. */
  async function registerAgain(member: string) {
    const guest = come()
    const email = `${member}@EXAMPLE.jp`
    expect((await guest.post('/auth/register', { ...hanzo, email })).status).toBe(201)
    return { guest, email }
  }

  it('gets one notice when another person registers with it, without a confirmation link', async () => {
    const kaede = await signUp(board)
    await registerAgain(kaede.userId)
    const mail = await nextMail()
    expect(mail?.to).toEqual([`${kaede.userId}@example.jp`])
    expect(mail?.headers.get('subject')).toEqual(['【忍板】お使いのメールアドレスでの会員登録'])
    expect(mail?.text).not.toMatch(/#|服部/)
    expect(await nextMail()).toBeUndefined()
  })

  it('cannot be confirmed by another member, who gets the same answer as for any address', async () => {
    const kaede = await signUp(board)
    const { guest, email } = await registerAgain(kaede.userId)
    await nextMail()
    const answer = await guest.post('/auth/email/send')
    expect(answer).toMatchObject({ status: 200, body: { message: messages.email_verification_sent } })
    expect((await nextMail())?.text).not.toContain('#')
    // A link mailed before that confirmation does not work any more.
    const { db } = board.database
    await db.updateTable('users').set({ emailVerifiedAt: null }).where('id', '=', kaede.userId).execute()
    await guest.post('/auth/email/send')
    const token = tokenIn(await nextMail(), 'verify-email')
    await db.updateTable('users').set({ emailVerifiedAt: new Date() }).where('id', '=', kaede.userId).execute()
    expect(await come().post('/auth/email/verify', { token })).toMatchObject({
      status: 400,
      body: { code: 'bad_token', message: messages.link_invalid },
    })
    expect(await isVerified(email)).toBe(false)
  })

  it('does not reveal to another member how many mails were sent there', async () => {
    const one = come()
    await one.post('/auth/register', hanzo)
    await one.post('/auth/email/send')
    await one.post('/auth/email/send')
    const other = come()
    await other.post('/auth/register', { ...hanzo, username: `百地三太夫${person}` })
    const statuses = []
    for (let count = 0; count < 3; count += 1) statuses.push((await other.post('/auth/email/send')).status)
    expect(statuses).toEqual([200, 200, 429])
    await board.settle()
    expect(server.mails).toHaveLength(3)
  })

  it('receives the link to a new password for its member alone', async () => {
    const kaede = await signUp(board)
    await registerAgain(kaede.userId)
    await nextMail()
    await forget(come(), `${kaede.userId}@example.jp`)
    expect((await reset(come(), tokenIn(await nextMail(), 'reset-password'))).status).toBe(200)
    expect([await logIn(kaede.name, NEXT), await logIn(hanzo.username, hanzo.password)]).toEqual([200, 200])
  })
})

describe('an address of a stranger', () => {
  it('gets a limited number of mails an hour, despite repeated registrations and deletions', async () => {
    for (let count = 0; count < 5; count += 1) {
      const guest = come()
      expect((await guest.post('/auth/register', hanzo)).status).toBe(201)
      // Deletes the account before its mail is sent, which deletes the mail.
      await board.settle()
      const leave = { name: hanzo.username, currentPassword: hanzo.password }
      expect((await guest.delete('/auth/profile', leave)).status).toBe(200)
    }
    expect(server.mails).toHaveLength(3)
  })

  it('gets no more mails where each registration adds another tag to it', async () => {
    for (let count = 0; count < 5; count += 1) {
      const account = { ...hanzo, username: `分身${person}の${count}`, email: `hanzo${person}+${count}@example.jp` }
      expect((await come().post('/auth/register', account)).status).toBe(201)
    }
    await board.settle()
    expect(server.mails).toHaveLength(3)
  })
})

describe('a link that confirms an address', () => {
  it("is mailed again at the member's request, a limited number of times an hour", async () => {
    const guest = come()
    await guest.post('/auth/register', hanzo)
    await nextMail()
    // The first mail was that of the registration.
    for (const _ of [2, 3]) {
      const answer = await guest.post('/auth/email/send')
      expect(answer).toMatchObject({ status: 200, body: { message: messages.email_verification_sent } })
    }
    expect((await guest.post('/auth/email/send')).status).toBe(429)
    await come().post('/auth/email/verify', { token: tokenIn(await nextMail(), 'verify-email') })
    const answer = await guest.post('/auth/email/send')
    expect(answer).toMatchObject({ status: 200, body: { message: messages.email_verified } })
    expect((await come().post('/auth/email/send')).status).toBe(401)
  })

  it('is not counted towards the limit when the database could not queue it', async () => {
    const guest = come()
    await guest.post('/auth/register', hanzo)
    await nextMail()
    const { db } = board.database
    await sql`alter table mails rename to "mailsAway"`.execute(db)
    const failed: number[] = []
    for (const _ of [2, 3]) failed.push((await guest.post('/auth/email/send')).status)
    await sql`alter table "mailsAway" rename to mails`.execute(db)
    for (const status of failed) expect(status).toBeGreaterThanOrEqual(500)
    for (const _ of [2, 3]) expect((await guest.post('/auth/email/send')).status).toBe(200)
  })

  it('is reported as refused when the mail server permanently refuses it', async () => {
    const guest = come()
    await guest.post('/auth/register', hanzo)
    await nextMail()
    server.answer = 'refuse'
    const answer = await guest.post('/auth/email/send')
    expect(answer).toMatchObject({ status: 400, body: { code: 'bad_email', message: messages.mail_refused } })
  })

  it('is tried a limited number of times from one IP address, also where each try is refused', async () => {
    const guest = come()
    await guest.post('/auth/register', hanzo)
    await nextMail()
    server.answer = 'refuse'
    const statuses = []
    for (let count = 0; count < 41; count += 1) statuses.push((await guest.post('/auth/email/send')).status)
    expect(new Set(statuses.slice(0, 40))).toEqual(new Set([400]))
    expect(statuses[40]).toBe(429)
  })

  it('is invalid once it has expired, once the address has changed, and for another purpose', async () => {
    await come().post('/auth/register', hanzo)
    const token = tokenIn(await nextMail(), 'verify-email')
    expect(await reset(come(), token)).toMatchObject({ status: 400, body: { code: 'bad_token' } })
    const { db } = board.database
    const { id } = (await userOf(hanzo.email))!
    const move = (email: string) =>
      db.updateTable('users').set({ email, emailKey: email }).where('id', '=', id).execute()
    await move(`new.${hanzo.email}`)
    const verify = () => come().post<Answer>('/auth/email/verify', { token })
    expect(await verify()).toMatchObject({ status: 400, body: { code: 'bad_token', message: messages.link_invalid } })
    await move(hanzo.email)
    board.clock.now += 24 * 3_600_000
    expect((await verify()).status).toBe(400)
    expect(await isVerified()).toBe(false)
  })
})

describe('a mistyped address', () => {
  const change = (guest: Guest, email: string, currentPassword = hanzo.password) =>
    guest.put<Answer>('/auth/email', { email, currentPassword })

  it('is changed with the password, and then confirmed by the new link alone', async () => {
    const guest = come()
    await guest.post('/auth/register', { ...hanzo, email: `hanzo${person}@exmaple.jp` })
    const mistyped = tokenIn(await nextMail(), 'verify-email')
    expect(await change(guest, 'hanzo@example')).toMatchObject({ status: 400, body: { code: 'bad_email' } })
    expect(await change(guest, hanzo.email, 'まちがい')).toMatchObject({
      status: 400,
      body: { code: 'bad_password', message: messages.password_wrong },
    })
    expect(await change(guest, hanzo.email)).toMatchObject({
      status: 200,
      body: { message: messages.email_changed_unverified },
    })
    const mail = await nextMail()
    expect(mail?.to).toEqual([hanzo.email])
    const verify = (token: string) => come().post<Answer>('/auth/email/verify', { token })
    expect(await verify(mistyped)).toMatchObject({ status: 400, body: { code: 'bad_token' } })
    expect(await isVerified()).toBe(false)
    expect((await verify(tokenIn(mail, 'verify-email'))).status).toBe(200)
    expect(await isVerified()).toBe(true)
    expect(await logIn(hanzo.email, hanzo.password)).toBe(200)
    // A confirmed address opens the account, so a session and the password do not suffice.
    expect(await change(guest, `new.${hanzo.email}`)).toMatchObject({
      status: 409,
      body: { code: 'already_done', message: messages.email_confirmed },
    })
  })

  it('is changed a limited number of times an hour, and not to test whether a member has an address', async () => {
    const kaede = await signUp(board)
    const guest = come()
    await guest.post('/auth/register', hanzo)
    await nextMail()
    expect(await change(guest, `${kaede.userId}@example.jp`)).toMatchObject({
      status: 200,
      body: { message: messages.email_changed_unverified },
    })
    expect((await nextMail())?.text).not.toContain('#')
    expect((await change(guest, hanzo.email)).status).toBe(200)
    expect((await change(guest, `new.${hanzo.email}`)).status).toBe(429)
    expect(await userOf(hanzo.email)).toBeDefined()
  })

  it('is changed no more once so many mails were requested from one IP address', async () => {
    const guest = come()
    await guest.post('/auth/register', hanzo)
    for (let count = 0; count < 40; count += 1) await forget(come(), `nobody${person}.${count}@example.jp`)
    expect((await change(guest, `new.${hanzo.email}`)).status).toBe(429)
    expect(await userOf(hanzo.email)).toBeDefined()
  })

  it('is not confirmed under its new spelling by a link to the former one that is opened meanwhile', async () => {
    await come().post('/auth/register', hanzo)
    const token = tokenIn(await nextMail(), 'verify-email')
    const { db } = board.database
    const { id } = (await userOf(hanzo.email))!
    const email = `new.${hanzo.email}`
    let verifying: Promise<{ status: number }> | undefined
    await db.transaction().execute(async (tx) => {
      await tx.updateTable('users').set({ email, emailKey: email }).where('id', '=', id).execute()
      verifying = come().post('/auth/email/verify', { token })
      await expect.poll(() => countLockWaits(db)).toBe(1)
    })
    expect((await verifying)?.status).toBe(400)
    expect(await isVerified(email)).toBe(false)
  })
})

describe('a forgotten password', () => {
  it('is replaced once with the mailed link, and all sessions end', async () => {
    const kaede = await signUp(board, hanzo.username)
    const email = `${kaede.userId}@example.jp`
    const socket = await connectTo(await board.listen(), kaede)
    const gone = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()))
    expect(await forget(come(), email.toUpperCase())).toMatchObject({
      status: 200,
      body: { message: messages.password_reset_sent },
    })
    const mail = await nextMail()
    expect(mail?.to).toEqual([email])
    expect(mail?.headers.get('subject')).toEqual(['【忍板】パスワードの再設定'])
    const token = tokenIn(mail, 'reset-password')
    // A refused password leaves the link valid.
    expect(await reset(come(), token, 'password')).toMatchObject({ status: 400, body: { code: 'bad_password' } })
    expect(await reset(come(), token)).toMatchObject({
      status: 200,
      body: { message: messages.password_reset_done },
    })
    await gone
    expect(await isKnown(kaede)).toBe(false)
    expect([await logIn(hanzo.username, PASSWORD), await logIn(hanzo.username, NEXT)]).toEqual([401, 200])
    expect(await reset(come(), token)).toMatchObject({ status: 400, body: { message: messages.link_invalid } })
  })

  it('is replaced by one of two concurrent uses of the link', async () => {
    const kaede = await signUp(board, hanzo.username)
    await forget(come(), `${kaede.userId}@example.jp`)
    const token = tokenIn(await nextMail(), 'reset-password')
    const answers = await Promise.all([1, 2, 3].map((number) => reset(come(), token, `${NEXT} ${number}`)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400, 400])
  })

  it('gets the same answer for an unknown address, before any look-up', async () => {
    const kaede = await signUp(board, hanzo.username)
    const email = `${kaede.userId}@example.jp`
    const held: (() => Promise<void>)[] = []
    vi.spyOn(board.deps.background, 'run').mockImplementation((work) => void held.push(work))
    const query = vi.spyOn(board.database.db.getExecutor(), 'executeQuery')
    const known = await forget(come(), email)
    const unknown = await forget(come(), `nobody${person}@example.jp`)
    // Random ids and times differ in every answer.
    const { date, 'x-request-id': requestId } = unknown.headers
    expect(unknown).toEqual({ ...known, headers: { ...known.headers, date, 'x-request-id': requestId } })
    expect(statementsOfRequests(query)).toEqual([])
    await Promise.all(held.map((work) => work()))
    expect(statementsOfRequests(query)).not.toEqual([])
    await board.settle()
    expect(server.mails.map(({ to }) => to)).toEqual([[email]])
  })

  it('is looked up a while after the answer, so that timing reveals nothing', async () => {
    const { userId } = await signUp(board, hanzo.username)
    const run = vi.spyOn(board.deps.background, 'run')
    await forget(come(), `${userId}@example.jp`)
    const pauses = run.mock.calls.map(([, afterMs = 0]) => afterMs)
    expect(pauses).toEqual([expect.toSatisfy((ms: number) => ms >= 200 && ms < 800)])
    expect((await nextMail())?.to).toEqual([`${userId}@example.jp`])
  })

  it('causes no mail to an address that its member has not confirmed: a stranger may read it', async () => {
    await come().post('/auth/register', hanzo)
    await nextMail()
    expect(await forget(come(), hanzo.email)).toMatchObject({ body: { message: messages.password_reset_sent } })
    expect(await nextMail()).toBeUndefined()
  })

  it('causes a mail even after the member used up the mails that confirm the address: a refusal would reveal them', async () => {
    await come().post('/auth/register', hanzo)
    for (const _ of [1, 2, 3]) expect((await forget(come(), hanzo.email)).status).toBe(200)
  })

  it('cannot be replaced once the link has expired, or the password was changed', async () => {
    const kaede = await signUp(board, hanzo.username)
    const email = `${kaede.userId}@example.jp`
    await forget(come(), email)
    const late = tokenIn(await nextMail(), 'reset-password')
    board.clock.now += 60 * 60_000
    expect((await reset(come(), late)).status).toBe(400)
    await forget(come(), email)
    const superseded = tokenIn(await nextMail(), 'reset-password')
    const member = come()
    await member.post('/auth/login', { username: hanzo.username, password: PASSWORD })
    const change = { currentPassword: PASSWORD, password: NEXT }
    expect((await member.put('/auth/password', change)).status).toBe(200)
    expect((await reset(come(), superseded, 'もう一つの合言葉')).status).toBe(400)
  })

  it('is replaced in the queue of hashes of its source, and not in those of others', async () => {
    const kaede = await signUp(board, hanzo.username)
    await forget(come(), `${kaede.userId}@example.jp`)
    const token = tokenIn(await nextMail(), 'reset-password')
    const { promise, resolve: finish } = Promise.withResolvers<void>()
    // One runs, and twenty wait.
    const busy = Array.from({ length: 21 }, () => hashing(`198.51.100.${person}`, () => promise))
    const here = await reset(come(), token)
    const elsewhere = await reset(visit(board, '198.51.100.250'), token)
    finish()
    await Promise.all(busy)
    expect([here.status, elsewhere.status]).toEqual([429, 200])
  })

  it('can be replaced by a member whose log-in is blocked by wrong attempts', async () => {
    const kaede = await signUp(board, hanzo.username)
    for (let count = 0; count < 10; count += 1) await logIn(hanzo.username, 'まちがい')
    expect(await logIn(hanzo.username, PASSWORD)).toBe(429)
    await forget(come(), `${kaede.userId}@example.jp`)
    await reset(come(), tokenIn(await nextMail(), 'reset-password'))
    expect(await logIn(hanzo.username, NEXT)).toBe(200)
  })

  it('causes at most three mails an hour to one address, whether or not a member has it', async () => {
    const kaede = await signUp(board, hanzo.username)
    for (const email of [`${kaede.userId}@example.jp`, `nobody${person}@example.jp`]) {
      const statuses = []
      for (let count = 0; count < 4; count += 1) statuses.push((await forget(come(), email)).status)
      expect(statuses).toEqual([200, 200, 200, 429])
    }
  })

  it('causes three mails an hour to one mailbox, whatever tags the address has', async () => {
    const statuses = []
    for (const tag of ['', '+a', '+b', '+c'])
      statuses.push((await forget(come(), `tags${person}${tag}@example.jp`)).status)
    expect(statuses).toEqual([200, 200, 200, 429])
    expect((await forget(come(), `+81${person}@example.jp`)).status).toBe(200)
  })

  it.each([
    ['however its dots are placed at Gmail', ['an.na@gmail.com', 'a.nna@gmail.com', 'a.n.n.a+x@googlemail.com'], 429],
    ['and elsewhere dots tell mailboxes apart', ['an.na@example.jp', 'a.nna@example.jp', 'a.n.n.a@example.jp'], 200],
  ])('causes three mails an hour to one mailbox, %s', async (_, dotted, fourth) => {
    const statuses = []
    for (const email of dotted) statuses.push((await forget(come(), email)).status)
    const plain = dotted[0]!.replace('.', '')
    statuses.push((await forget(come(), plain)).status)
    expect(statuses).toEqual([200, 200, 200, fourth])
  })

  it('causes a limited number of mails to many addresses from one IP address', async () => {
    const statuses = []
    for (let count = 0; count < 41; count += 1) {
      statuses.push((await forget(come(), `nobody${person}.${count}@example.jp`)).status)
    }
    expect(new Set(statuses.slice(0, 40))).toEqual(new Set([200]))
    expect(statuses[40]).toBe(429)
  })

  it.each([
    'a@b.jp\r\nBcc: evil@example.jp',
    'a@b.jp, evil@example.jp',
    '<evil@example.jp>',
    'a b@example.jp',
    '\ud800@b.jp',
  ])('causes no mail to %j', async (email) => {
    expect(await forget(come(), email)).toMatchObject({ status: 400, body: { code: 'bad_email' } })
  })

  it('is for the administrator to replace on a board without a mail server', async () => {
    const other = await openBoard()
    const answer = await forget(visit(other), 'kaede@example.jp')
    expect(answer).toMatchObject({ status: 503, body: { message: messages.password_reset_unavailable } })
    const member = await signUp(other, undefined, { isConfirmed: false })
    const sent = await member.post('/auth/email/send')
    expect(sent).toMatchObject({ status: 503, body: { message: messages.mail_unavailable } })
    await other.close()
  })
})

it('a mail has one recipient and the headers we set, whatever its address and subject contain', async () => {
  const mailer = createMailer(board.config)!
  const send = async (to: string, subject = '題') =>
    (await mailer.send({ messageId: '1@example.jp', to, subject, text: '文' }, new AbortController().signal)).kind
  for (const to of ['a@b.jp\r\nBcc: evil@example.jp', 'a@b.jp, evil@example.jp', 'evil@example.jp <a@b.jp>']) {
    expect(await send(to)).toBe('refused')
  }
  expect(await send(hanzo.email, '題\r\nBcc: evil@example.jp')).toBe('sent')
  expect(server.mails).toMatchObject([{ to: [hanzo.email] }])
  expect([...server.mails[0]!.headers.keys()]).not.toContain('bcc')
})
