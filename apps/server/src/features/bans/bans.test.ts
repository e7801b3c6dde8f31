import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Ban, BanInput, BanPreview } from '@shinobi/contract/bans'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { inTransaction } from '../../db/transaction.ts'
import {
  openBoard,
  signUp,
  START,
  startThread,
  visit,
  writeTo as write,
  type Answer,
  type Board,
  type Guest,
  type MemberGuest,
} from '../../testing/board.ts'
import { liftBansIn } from './banning.service.ts'
import { deleteOrigins } from './bans.queries.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const NOBODY = '01900000-0000-7000-8000-00000000dead'
const BANS = '/api/admin/bans'

type Refusal = { code: string; message: string }
type Made = Answer<{ bans: Ban[] } & Refusal>

let board: Board
let admin: MemberGuest
let host: Guest
let thread: Thread
let elsewhere: Thread
let categories: { _id: string; name: string }[]
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '100000' })
  host = visit(board, '192.0.2.1')
  categories = (await host.get<{ _id: string; name: string }[]>('/api/categories')).body
})
beforeEach(async () => {
  board.clock.now = START
  await board.settle()
  for (const table of ['bans', 'origins'] as const) await board.database.db.deleteFrom(table).execute()
  await inTransaction(board.deps.db, (tx) => board.deps.revisions.raise(tx, 'bans'))
  await board.deps.revisions.settle()
  admin = await signUp(board, undefined, { isAdmin: true, address: '192.0.2.2' })
  thread = await startThread(host)
  elsewhere = await startThread(host, { category: categories[1]!.name, title: '別の場所です' })
})
afterAll(() => board.close())

let network = 0
/** An address in its own network, so that tests do not affect each other. */
const newAddress = (): string => `10.${Math.floor((network += 1) / 250)}.${network % 250}.5`
/** The same browser at another address. */
function moved(guest: Guest, address: string, to = board): Guest {
  const other = visit(to, address)
  for (const [name, value] of guest.cookies) other.cookies.set(name, value)
  return other
}
/** In a thread, a name belongs to its first writer. */
let names = 0
const newName = (): string => `下忍${(names += 1)}号`
const writeTo = (who: Guest, where: Thread, content: string): Promise<Post> => write(who, where, content, newName())
const post = (who: Guest, where: Thread = thread): Promise<Answer<Post & Refusal>> =>
  who.post(`/api/threads/${where._id}/posts`, { content: '通るか', name: newName() })
const open = (who: Guest, category = 'general') =>
  who.form<Refusal>('/api/threads', { title: '新しい話', content: '始めます', category })
const targetOf = ({ threadId, _id }: Post) => ({ threadId, postId: _id })

async function ban(who: Guest, input: Partial<BanInput> & Pick<BanInput, 'target' | 'on'>): Promise<Made> {
  await board.settle()
  const answer: Made = await who.post(BANS, { reason: '荒らし行為', hours: 24, ...input })
  await board.deps.revisions.settle()
  return answer
}
async function banned(input: Partial<BanInput> & Pick<BanInput, 'target' | 'on'>): Promise<Ban[]> {
  const answer = await ban(admin, input)
  expect(answer.status).toBe(201)
  return answer.body.bans
}
const preview = async (target: BanInput['target'], who: Guest = admin) => {
  await board.settle()
  return (await who.post<BanPreview>(`${BANS}/preview`, { target })).body
}
const lift = async (who: Guest, { _id }: Ban) => {
  const answer = await who.delete(`${BANS}/${_id}`)
  await board.deps.revisions.settle()
  return answer.status
}

describe('a ban of a browser', () => {
  it('stops all its writes, with the reason and the end in Japanese time, and not its reads', async () => {
    const raider = visit(board, newAddress())
    const written = await writeTo(raider, thread, '荒らし')
    const [made] = await banned({ target: targetOf(written), on: ['visitor'] })
    expect(made).toMatchObject({ kind: 'visitor', scope: 'site', scopeId: null, liftedAt: null, reason: '荒らし行為' })
    expect(made!.label).toMatch(/^訪問者 [0-9A-F]{4}-[0-9A-F]{2}$/)
    const message = messages.banned('荒らし行為', '2026年11月22日 13:03')
    const refusal = { status: 403, body: { code: 'banned', message } }
    expect(await post(raider)).toMatchObject(refusal)
    expect(await post(raider, elsewhere)).toMatchObject(refusal)
    expect(await open(raider)).toMatchObject(refusal)
    const report = { reason: '通報です', content: '' }
    expect(await raider.post(`/api/threads/${thread._id}/posts/${written._id}/report`, report)).toMatchObject(refusal)
    expect((await raider.get(`/api/threads/${thread._id}/posts`)).status).toBe(200)
    // Another browser of the same network can still write.
    expect((await post(visit(board, '10.99.0.1'))).status).toBe(201)
    expect((await post(moved(raider, '10.98.0.1'))).status).toBe(403)
  })

  it('ends by itself, to the second, and by the minute in the message', async () => {
    const raider = visit(board, newAddress())
    board.clock.now = START + 1
    await banned({ target: targetOf(await writeTo(raider, thread, '荒らし')), on: ['visitor'], hours: 1 })
    board.clock.now = START + HOUR
    expect(await post(raider)).toMatchObject({
      status: 403,
      body: { message: messages.banned('荒らし行為', '2026年11月21日 14:04') },
    })
    board.clock.now = START + HOUR + 1
    expect((await post(raider)).status).toBe(201)
  })

  it('shows the longest of several', async () => {
    const raider = visit(board, newAddress())
    const target = targetOf(await writeTo(raider, thread, '荒らし'))
    await banned({ target, on: ['visitor'], hours: 1, reason: '短い' })
    await banned({ target, on: ['visitor'], hours: null, reason: '長い' })
    await banned({ target, on: ['visitor'], hours: 48, reason: '中くらい' })
    expect(await post(raider)).toMatchObject({ body: { message: messages.banned('長い', null) } })
  })

  it('applies on every server, and ends when it is lifted', async () => {
    const second = await openBoard({}, board.database)
    try {
      const raider = visit(board, newAddress())
      const [made] = await banned({ target: targetOf(await writeTo(raider, thread, '荒らし')), on: ['visitor'] })
      await second.deps.revisions.settle()
      expect((await post(moved(raider, newAddress(), second))).status).toBe(403)
      expect(await lift(admin, made!)).toBe(200)
      await second.deps.revisions.settle()
      expect((await post(moved(raider, newAddress(), second))).status).toBe(201)
      expect((await post(raider)).status).toBe(201)
    } finally {
      await second.close()
    }
  })
})

describe('a ban of an account', () => {
  it('stops the member in every browser: posts, likes, reports, name and picture, but neither reading nor log-out', async () => {
    const kaede = await signUp(board, undefined, { address: newAddress() })
    const written = await writeTo(kaede, thread, '荒らし')
    const [made] = await banned({ target: { userId: kaede.userId }, on: ['user'] })
    expect(made!.label).toBe(kaede.name)
    const refusal = { status: 403, body: { code: 'banned' } }
    expect(await post(kaede)).toMatchObject(refusal)
    expect(await kaede.post(`/api/threads/${thread._id}/like`)).toMatchObject(refusal)
    expect(await kaede.post(`/api/threads/${thread._id}/posts/${written._id}/like`)).toMatchObject(refusal)
    expect(await kaede.put('/auth/profile', { name: '別の名前で' })).toMatchObject(refusal)
    const picture = new Blob([new Uint8Array(8)], { type: 'image/png' })
    const form = { profileImage: picture }
    expect(await kaede.form('/auth/profile/image', form, 'PUT')).toMatchObject(refusal)
    // Without the account, the browser is another writer.
    const browser = visit(board, newAddress())
    browser.cookies.set('visitor', kaede.cookies.get('visitor')!)
    expect((await post(browser)).status).toBe(201)
    expect((await kaede.delete(`/api/threads/${thread._id}/like`)).status).toBe(200)
    expect((await kaede.post('/auth/logout')).status).toBe(200)
  })

  it('is refused for an administrator, for oneself, and for a writer without an account', async () => {
    const other = await signUp(board, undefined, { isAdmin: true })
    const moderator = await signUp(board, undefined, { moderates: 'all' })
    const self = { status: 403, body: { code: 'forbidden', message: messages.ban_rank } }
    expect(await ban(admin, { target: { userId: other.userId }, on: ['user'] })).toMatchObject(self)
    expect(await ban(moderator, { target: { userId: other.userId }, on: ['user'] })).toMatchObject(self)
    expect(await ban(moderator, { target: { userId: moderator.userId }, on: ['user'] })).toMatchObject(self)
    const anonymous = targetOf(await writeTo(visit(board, newAddress()), thread, '誰か'))
    const impossible = { status: 400, body: { message: messages.ban_impossible } }
    expect(await ban(admin, { target: anonymous, on: ['visitor', 'user'] })).toMatchObject(impossible)
    expect(await ban(admin, { target: { userId: moderator.userId }, on: ['visitor'] })).toMatchObject(impossible)
    expect((await ban(admin, { target: { userId: NOBODY }, on: ['user'] })).status).toBe(404)
    const nowhere = { threadId: thread._id, postId: NOBODY }
    expect((await ban(admin, { target: nowhere, on: ['visitor'] })).status).toBe(404)
    // The refused requests banned nobody.
    expect((await admin.get<{ bans: Ban[] }>(`${BANS}?standing=false`)).body.bans).toEqual([])
  })
})

describe('a ban of a network', () => {
  it.each([
    ['203.0.113.7', '203.0.113.250', '203.0.112.7'],
    ['::ffff:198.51.100.7', '198.51.100.8', '198.51.101.7'],
    ['2001:db8:0:7::1', '2001:db8:0:7:ffff::9', '2001:db8:0:8::1'],
  ])('of %s applies to %s, and not to %s', async (from, neighbour, stranger) => {
    const written = await writeTo(visit(board, from), thread, '荒らし')
    const [made] = await banned({ target: targetOf(written), on: ['network'] })
    expect(made!.label).toMatch(/の回線$/)
    expect((await post(visit(board, neighbour))).status).toBe(403)
    expect((await post(visit(board, stranger))).status).toBe(201)
    expect(await lift(admin, made!)).toBe(200)
    expect((await post(visit(board, neighbour))).status).toBe(201)
  })

  it('finds the network by the hash of each day on which its writer posted, even days later', async () => {
    const [home, office] = [newAddress(), newAddress()]
    const raider = visit(board, home)
    await writeTo(raider, thread, '一日目')
    board.clock.now += DAY
    const written = await writeTo(moved(raider, office), thread, '二日目')
    const later = await signUp(board, undefined, { isAdmin: true })
    const made = await ban(later, { target: targetOf(written), on: ['network'], hours: 240 })
    expect(made.body.bans).toHaveLength(1)
    for (const days of [0, 3]) {
      board.clock.now += days * DAY
      for (const address of [home, office]) expect((await post(visit(board, address))).status).toBe(403)
    }
    expect((await post(visit(board, newAddress()))).status).toBe(201)
  })

  it('does not apply to administrators', async () => {
    const address = newAddress()
    await banned({ target: targetOf(await writeTo(visit(board, address), thread, '荒らし')), on: ['network'] })
    const chief = await signUp(board, undefined, { isAdmin: true, address })
    const member = await signUp(board, undefined, { address })
    expect((await post(chief)).status).toBe(201)
    expect((await post(member)).status).toBe(403)
  })

  it('can be made by the address, where a temporary log contains it', async () => {
    const address = newAddress()
    const tracing = await admin.post(`/api/admin/threads/${thread._id}/tracing`, { reason: '脅迫', hours: 48 })
    expect(tracing.status).toBe(200)
    await board.deps.revisions.settle()
    const written = await writeTo(visit(board, address), thread, '荒らし')
    await board.settle()
    // A writer of that network on another day is found by the address alone.
    board.clock.now -= DAY
    await writeTo(visit(board, address), elsewhere, '昨日')
    board.clock.now += DAY
    const target = targetOf(written)
    expect((await preview(target)).kinds).toContainEqual({ kind: 'network', possible: true, posters: 2 })
    await board.database.db.deleteFrom('origins').execute()
    await banned({ target, on: ['network'], hours: 1_000 })
    const { subject } = await board.database.db.selectFrom('bans').select('subject').executeTakeFirstOrThrow()
    expect(subject).toMatch(/^net:/)
    board.clock.now += 20 * DAY
    expect((await post(visit(board, address))).status).toBe(403)
    expect((await post(visit(board, newAddress()))).status).toBe(201)
  })

  it('loses its hashes some days after it ended, and the networks of all writers are deleted too', async () => {
    const raider = visit(board, newAddress())
    await banned({ target: targetOf(await writeTo(raider, thread, '荒らし')), on: ['network'], hours: 24 })
    const { db } = board.database
    const subjects = async () => (await db.selectFrom('bans').select('subject').execute()).map(({ subject }) => subject)
    board.clock.now += 7 * DAY
    await board.deps.bans.sweep()
    expect(await subjects()).toEqual([expect.stringMatching(/^\d+:/)])
    expect((await db.selectFrom('origins').selectAll().execute()).length).toBeGreaterThan(0)
    board.clock.now += DAY + 1
    await board.deps.bans.sweep()
    expect(await subjects()).toEqual([''])
    expect(await db.selectFrom('origins').selectAll().execute()).toEqual([])
  })

  it('stores a network once a day per writer, and the sweep deletes in steps', async () => {
    const address = newAddress()
    const guests = [visit(board, address), visit(board, address), visit(board, newAddress())]
    const { db } = board.database
    await board.settle()
    await deleteOrigins(db, new Date(START + 1))
    for (let round = 0; round < 3; round += 1) for (const guest of guests) await writeTo(guest, thread, '一言')
    await board.settle()
    const noted = await db.selectFrom('origins').select(['actor', 'hash']).execute()
    expect([noted.length, new Set(noted.map(({ hash }) => hash)).size]).toEqual([3, 2])
    await deleteOrigins(db, new Date(START + 1), 2)
    expect(await db.selectFrom('origins').selectAll().execute()).toEqual([])
  })

  it('stores no address anywhere', async () => {
    const address = '203.0.113.77'
    await banned({
      target: targetOf(await writeTo(visit(board, address), thread, '荒らし')),
      on: ['network', 'visitor'],
    })
    for (const table of ['bans', 'origins', 'auditLog'] as const) {
      const rows = await board.database.db.selectFrom(table).selectAll().execute()
      expect(JSON.stringify(rows)).not.toContain('203.0.113')
    }
  })
})

describe('the preview of a ban', () => {
  it('counts the writers whom each kind would hit', async () => {
    const address = newAddress()
    const kaede = await signUp(board, undefined, { address })
    const visitor = visit(board, address)
    await writeTo(visitor, thread, '同じ回線')
    await writeTo(visitor, thread, 'もう一度')
    await writeTo(visit(board, address), elsewhere, '同じ回線の別の人')
    await writeTo(visit(board, newAddress()), thread, '別の回線')
    const written = await writeTo(kaede, thread, '会員')
    const ofMember = { kind: 'network', possible: true, posters: 3 }
    expect(await preview(targetOf(written))).toEqual({
      standing: [],
      kinds: [{ kind: 'user', possible: true, posters: 1 }, { kind: 'visitor', possible: true, posters: 1 }, ofMember],
    })
    expect(await preview({ userId: kaede.userId })).toEqual({
      standing: [],
      kinds: [{ kind: 'user', possible: true, posters: 1 }, { kind: 'visitor', possible: false, posters: 0 }, ofMember],
    })
    const silent = await signUp(board)
    expect((await preview({ userId: silent.userId })).kinds[2]).toEqual({
      kind: 'network',
      possible: false,
      posters: 0,
    })
    expect((await preview({ userId: admin.userId })).kinds[0]).toMatchObject({ possible: false })
  })

  it('names the bans in force, so that nobody bans twice and lifts once', async () => {
    const raider = visit(board, newAddress())
    const target = targetOf(await writeTo(raider, thread, '荒らし'))
    const terms = { target, on: ['visitor' as const], scope: 'category' as const }
    const [made] = await banned({ ...terms, hours: 2 })
    await banned({ ...terms, hours: 1 })
    board.clock.now += HOUR
    const later = await signUp(board, undefined, { isAdmin: true })
    expect((await preview(target, later)).standing).toEqual([made])
    expect(await lift(later, made!)).toBe(200)
    expect((await preview(target, later)).standing).toEqual([])
  })

  it('names a ban in force that is older than many that have ended', async () => {
    const raider = visit(board, newAddress())
    const target = targetOf(await writeTo(raider, thread, '荒らし'))
    const terms = { target, on: ['visitor' as const], scope: 'category' as const }
    const [made] = await banned(terms)
    for (let count = 0; count < 21; count += 1) await banned({ ...terms, hours: 1 })
    board.clock.now += HOUR
    const later = await signUp(board, undefined, { isAdmin: true })
    expect((await preview(target, later)).standing).toEqual([made])
  })

  it('counts only writers of the last 7 days', async () => {
    const address = newAddress()
    const written = await writeTo(visit(board, address), thread, '古い')
    board.clock.now += 7 * DAY + 1
    const later = await signUp(board, undefined, { isAdmin: true })
    expect((await preview(targetOf(written), later)).kinds[2]).toEqual({ kind: 'network', possible: false, posters: 0 })
  })
})

describe('the scope of a ban', () => {
  it('is the category or the thread of the post, unless the request names another one', async () => {
    const raider = visit(board, newAddress())
    const target = targetOf(await writeTo(raider, thread, '荒らし'))
    const neighbour = await startThread(host, { title: '隣のスレッド' })
    const [ofThread] = await banned({ target, on: ['visitor'], scope: 'thread' })
    expect(ofThread).toMatchObject({ scope: 'thread', scopeId: thread._id, scopeLabel: thread.title })
    expect([(await post(raider)).status, (await post(raider, neighbour)).status]).toEqual([403, 201])
    await lift(admin, ofThread!)
    const [ofCategory] = await banned({ target, on: ['visitor'], scope: 'category' })
    expect(ofCategory).toMatchObject({ scope: 'category', scopeId: thread.categoryId, scopeLabel: thread.category })
    expect([(await post(raider)).status, (await post(raider, neighbour)).status]).toEqual([403, 403])
    expect((await open(raider)).status).toBe(403)
    const report = { reason: '通報です', content: '' }
    expect((await raider.post(`/api/threads/${thread._id}/posts/${target.postId}/report`, report)).status).toBe(403)
    expect([(await post(raider, elsewhere)).status, (await open(raider, categories[1]!.name)).status]).toEqual([
      201, 201,
    ])
    await lift(admin, ofCategory!)
    await banned({ target, on: ['visitor'], scope: 'category', scopeId: elsewhere.categoryId })
    expect([(await post(raider)).status, (await post(raider, elsewhere)).status]).toEqual([201, 403])
    expect((await ban(admin, { target, on: ['visitor'], scope: 'thread', scopeId: NOBODY })).status).toBe(404)
    expect((await ban(admin, { target, on: ['visitor'], scope: 'category', scopeId: NOBODY })).status).toBe(404)
  })

  it("is limited to the moderator's categories", async () => {
    const scoped = await signUp(board, undefined, { moderates: [thread.categoryId] })
    const raider = visit(board, newAddress())
    const here = targetOf(await writeTo(raider, thread, '荒らし'))
    const there = targetOf(await writeTo(raider, elsewhere, '荒らし'))
    const out = { status: 403, body: { message: messages.out_of_scope } }
    expect(await ban(scoped, { target: here, on: ['visitor'] })).toMatchObject(out)
    expect(await ban(scoped, { target: there, on: ['visitor'], scope: 'thread' })).toMatchObject(out)
    const other = { scope: 'category', scopeId: elsewhere.categoryId } as const
    expect(await ban(scoped, { target: here, on: ['visitor'], ...other })).toMatchObject(out)
    const otherThread = { scope: 'thread', scopeId: elsewhere._id } as const
    expect(await ban(scoped, { target: here, on: ['visitor'], ...otherThread })).toMatchObject(out)
    expect((await scoped.post(`${BANS}/preview`, { target: there })).status).toBe(403)

    const [site] = await banned({ target: here, on: ['visitor'] })
    const [foreign] = await banned({ target: here, on: ['visitor'], ...otherThread })
    const category = (await ban(scoped, { target: here, on: ['visitor'], scope: 'category' })).body.bans[0]!
    const inThread = (await ban(scoped, { target: here, on: ['visitor'], scope: 'thread' })).body.bans[0]!
    const seen = (await scoped.get<{ bans: Ban[] }>(BANS)).body.bans
    expect(seen.map(({ _id }) => _id)).toEqual([inThread._id, category._id])
    expect([await lift(scoped, site!), await lift(scoped, foreign!), await lift(scoped, inThread)]).toEqual([
      403, 403, 200,
    ])
  })

  it('stays in force when the moderator at whom it is aimed tries to lift it', async () => {
    const moderator = await signUp(board, undefined, { moderates: 'all' })
    const answer = await ban(admin, { target: { userId: moderator.userId }, on: ['user'] })
    const [made] = answer.body.bans
    const own = { status: 403, body: { message: messages.ban_own } }
    expect(await moderator.delete(`${BANS}/${made!._id}`)).toMatchObject(own)
    const entries = await admin.get<{ entries: { _id: string; subject: string }[] }>('/api/admin/audit')
    const entry = entries.body.entries.find(({ subject }) => subject === made!.label)!
    expect(await moderator.post(`/api/admin/actions/${entry._id}/undo`, {})).toMatchObject(own)
    expect((await post(moderator)).status).toBe(403)
    expect(await lift(await signUp(board, undefined, { moderates: 'all' }), made!)).toBe(200)
    expect((await post(moderator)).status).toBe(201)
  })

  it('is refused to visitors who are not moderators', async () => {
    const kaede = await signUp(board)
    const target = { userId: kaede.userId }
    expect((await ban(kaede, { target, on: ['user'] })).status).toBe(403)
    expect((await ban(visit(board), { target, on: ['user'] })).status).toBe(401)
    expect((await kaede.get(BANS)).status).toBe(403)
  })
})

describe('the list of bans', () => {
  it('shows those in force, or all, newest first and page by page', async () => {
    const target = targetOf(await writeTo(visit(board, newAddress()), thread, '荒らし'))
    const [lifted] = await banned({ target, on: ['visitor'], reason: '一' })
    await lift(admin, lifted!)
    await banned({ target, on: ['visitor'], reason: '二', hours: 1 })
    await banned({ target, on: ['network', 'visitor'], reason: '三', hours: null, note: '覚え書き' })
    board.clock.now += 2 * HOUR
    const later = await signUp(board, undefined, { isAdmin: true })
    const list = async (query: string) => (await later.get<{ bans: Ban[]; next: string | null }>(BANS + query)).body
    const standing = await list('')
    expect(standing.bans.map(({ kind, reason }) => `${kind} ${reason}`)).toEqual(['network 三', 'visitor 三'])
    expect(standing.bans[0]).toMatchObject({ note: '覚え書き', createdBy: admin.name, expiresAt: null })
    const first = await list('?standing=false&limit=3')
    expect(first.bans.map(({ reason }) => reason)).toEqual(['三', '三', '二'])
    const rest = await list(`?standing=false&limit=3&cursor=${first.next}`)
    expect([rest.bans.map(({ reason }) => reason), rest.next]).toEqual([['一'], null])
    expect(rest.bans[0]!.liftedAt).toBe(new Date(START).toISOString())
  })
})

describe('the log of bans', () => {
  it('shows a ban and its end, without actor and target in public, and stores the data for an undo', async () => {
    const raider = visit(board, newAddress())
    const target = targetOf(await writeTo(raider, thread, '荒らし'))
    const made = await banned({ target, on: ['visitor', 'network'], scope: 'thread', note: '覚え書き' })
    await lift(admin, made[0]!)
    await lift(admin, made[0]!)
    const { db } = board.database
    const entries = await db
      .selectFrom('auditLog')
      .selectAll()
      .where('threadId', '=', thread._id)
      .orderBy('id')
      .execute()
    const ofBans = entries.filter(({ action }) => action.startsWith('ban'))
    expect(ofBans).toMatchObject([
      {
        ...{ action: 'ban', actorName: admin.name, isPublic: true, reason: '荒らし行為', postId: null, number: null },
        categoryId: thread.categoryId,
        subject: made.map(({ label }) => label).join('、'),
        details: { banIds: made.map(({ _id }) => _id), target },
      },
      { action: 'ban_lift', isPublic: true, subject: made[0]!.label, details: { banIds: [made[0]!._id] } },
    ])
    const visitorId = raider.cookies.get('visitor')!.split('.')[0]!
    expect(JSON.stringify([ofBans, made])).not.toContain(visitorId)
  })

  it('has no entry for the lifting of a ban that has ended by itself, and none for its undo', async () => {
    const target = targetOf(await writeTo(visit(board, newAddress()), thread, '荒らし'))
    const [made] = await banned({ target, on: ['visitor'], scope: 'thread', hours: 1 })
    board.clock.now += HOUR
    const later = await signUp(board, undefined, { isAdmin: true })
    expect(await lift(later, made!)).toBe(200)
    const { body } = await later.get<{ bans: Ban[] }>(`${BANS}?standing=false`)
    expect(body.bans).toMatchObject([{ _id: made!._id, liftedAt: null }])
    const log = board.database.db.selectFrom('auditLog').select(['id', 'action']).where('threadId', '=', thread._id)
    const [entry] = await log.execute()
    expect(await later.post(`/api/admin/actions/${entry!.id}/undo`, {})).toMatchObject({
      status: 409,
      body: { code: 'already_done', message: messages.ban_ended },
    })
    expect(await log.execute()).toMatchObject([{ action: 'ban' }])
  })

  it('lets an undo lift all the bans of an entry, each once', async () => {
    const raider = visit(board, newAddress())
    const made = await banned({ target: targetOf(await writeTo(raider, thread, '荒らし')), on: ['visitor', 'network'] })
    const ids = made.map(({ _id }) => _id)
    await lift(admin, made[0]!)
    const at = new Date(board.clock.now)
    const role = { isAdmin: true, moderates: null, email: 'admin@example.jp', secondFactorMissing: false }
    const who = { id: admin.userId, ...role }
    const lifted = await inTransaction(board.deps.db, (tx) => liftBansIn(tx, board.deps, who, ids, at))
    expect(lifted).toEqual([ids[1]])
    await board.deps.revisions.settle()
    expect((await post(raider)).status).toBe(201)
  })
})

describe('a target of the same or a higher rank', () => {
  /** A moderator of the category in which `thread` stands. */
  const scopedModerator = () => signUp(board, undefined, { moderates: [thread.categoryId] })
  const shapeOf = ({ status, body }: Made) => ({
    status,
    bans: body.bans.map(({ _id, label, createdAt: _createdAt, ...rest }) => ({
      ...rest,
      label: label.replace(/^会員\d+/, ''),
    })),
  })

  it.each([
    ['an administrator', { isAdmin: true }],
    ['a moderator of the whole board', { moderates: 'all' }],
  ] as const)(
    '%s is not affected by a ban of a moderator of some categories, who gets the same answers as for any member',
    async (_, account) => {
      const scoped = await scopedModerator()
      const chief = await signUp(board, undefined, { ...account, address: newAddress() })
      const member = await signUp(board, undefined, { address: newAddress() })
      const [ofChief, ofMember] = [await writeTo(chief, thread, '一言'), await writeTo(member, thread, '一言')]
      const [previewed, ordinary] = [
        await preview(targetOf(ofChief), scoped),
        await preview(targetOf(ofMember), scoped),
      ]
      expect(previewed).toEqual(ordinary)
      const terms: Pick<BanInput, 'on' | 'scope'> = { on: ['user', 'visitor', 'network'], scope: 'category' }
      const made = await ban(scoped, { target: targetOf(ofChief), ...terms })
      expect(shapeOf(made)).toEqual(shapeOf(await ban(scoped, { target: targetOf(ofMember), ...terms })))
      expect([(await post(chief)).status, (await post(member)).status]).toEqual([201, 403])
      // The ban stays without effect after they lose their role.
      await board.database.db.updateTable('users').set({ isAdmin: false }).where('id', '=', chief.userId).execute()
      await board.database.db.deleteFrom('moderators').where('userId', '=', chief.userId).execute()
      expect((await post(chief)).status).toBe(201)
      type Entry = { subject: string; details: Record<string, unknown> }
      const { entries } = (await admin.get<{ entries: Entry[] }>('/api/admin/audit?limit=100')).body
      const outranked = (name: string) =>
        entries.find(({ subject }) => subject?.startsWith(`${name}、`))?.details['outranked']
      expect([outranked(chief.name), outranked(member.name)]).toEqual([true, undefined])
    },
  )

  it('cannot be banned by id by a moderator of some categories, who gets the same answer for every id', async () => {
    const scoped = await scopedModerator()
    const kaede = await signUp(board)
    const out = { status: 403, body: { code: 'forbidden', message: messages.out_of_scope } }
    for (const userId of [admin.userId, kaede.userId, scoped.userId, NOBODY]) {
      expect(await scoped.post(`${BANS}/preview`, { target: { userId } })).toMatchObject(out)
      const place = { scope: 'category', scopeId: thread.categoryId } as const
      expect(await ban(scoped, { target: { userId }, on: ['user'], ...place })).toMatchObject(out)
    }
  })

  it('cannot be banned by a moderator of the same rank: neither by account, nor by browser or network', async () => {
    const refused = { status: 403, body: { code: 'forbidden', message: messages.ban_rank } }
    const [one, other] = [
      await signUp(board, undefined, { moderates: 'all' }),
      await signUp(board, undefined, { moderates: 'all', address: newAddress() }),
    ]
    const target = targetOf(await writeTo(other, thread, '一言'))
    for (const kind of ['user', 'visitor', 'network'] as const) {
      expect(await ban(one, { target, on: [kind] })).toMatchObject(refused)
    }
    expect((await preview(target, one)).kinds.map(({ possible }) => possible)).toEqual([false, false, false])
    expect((await ban(admin, { target, on: ['user'] })).status).toBe(201)
  })

  it('is not affected by a ban of a network they share, where they moderate', async () => {
    const scoped = await scopedModerator()
    const address = newAddress()
    const raider = visit(board, address)
    const chief = await signUp(board, undefined, { moderates: 'all', address })
    const target = targetOf(await writeTo(raider, thread, '荒らし'))
    expect((await ban(scoped, { target, on: ['network'], scope: 'category' })).status).toBe(201)
    expect([(await post(raider)).status, (await post(chief)).status]).toEqual([403, 201])
  })

  it('is not named in the list of a moderator of some categories', async () => {
    const scoped = await scopedModerator()
    const target = targetOf(await writeTo(visit(board, newAddress()), thread, '荒らし'))
    await banned({ target, on: ['visitor'], scope: 'category' })
    await ban(scoped, { target, on: ['visitor'], scope: 'thread' })
    const namesFor = async (who: Guest) =>
      (await who.get<{ bans: Ban[] }>(BANS)).body.bans.map(({ createdBy }) => createdBy)
    expect(await namesFor(scoped)).toEqual([scoped.name, messages.staff])
    expect(await namesFor(admin)).toEqual([scoped.name, admin.name])
  })
})
