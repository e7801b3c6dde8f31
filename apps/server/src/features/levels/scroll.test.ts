/** 忍法帖 as its owner sees it, and how it moves: by a phrase, and into the owner's account. */
import { describe, expect } from 'vitest'
import { LEVEL_PHRASE_WORDS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Scroll } from '@shinobi/contract/scroll'
import type { Thread } from '@shinobi/contract/threads'
import {
  giveLevel,
  PASSWORD,
  signUp,
  startThread,
  visit,
  writeTo,
  type Board,
  type Guest,
} from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { timeOfUuid, uuidv7 } from '../../lib/uuid.ts'
import { PHRASE_WORDS } from './level-phrases.ts'

const DAY_MS = 86_400_000
let people = 0

const it = boardTest
  .extend('thread', { scope: 'file' }, ({ board }) => startThread(visit(board)))
  .extend('browser', { scope: 'file' }, ({ board, thread }) => {
    /** A browser with a level, from an address of its own. */
    return async (level: number): Promise<Guest> => {
      const guest = visit(board, `198.51.100.${(people += 1)}`)
      await writeTo(guest, thread, '一筆', '名無し')
      if (level > 0) await giveLevel(board, guest, level)
      return guest
    }
  })

const read = async (guest: Guest): Promise<Scroll> => (await guest.get<Scroll>('/api/scroll')).body
const levelOf = async (guest: Guest): Promise<number> => (await read(guest)).level
const make = async (guest: Guest): Promise<string> =>
  (await guest.post<{ phrase: string }>('/api/scroll/phrase')).body.phrase
const claim = (guest: Guest, phrase: string) => guest.post<Scroll & Refusal>('/api/scroll/claim', { phrase })
interface Refusal {
  readonly code: string
  readonly message: string
}
/** A browser that has done nothing yet. */
const fresh = (board: Board): Guest => visit(board, `198.51.100.${(people += 1)}`)

/** Bans a browser from the category of a thread. */
async function banBrowser(board: Board, thread: Thread, guest: Guest) {
  const admin = await signUp(board, undefined, { isAdmin: true })
  const post = await writeTo(guest, thread, '荒らし', '名無し')
  await board.settle()
  const target = { threadId: thread._id, postId: post._id }
  const terms = { on: ['visitor'], scope: 'category', hours: 24, reason: '荒らし行為' }
  const answer = await admin.post('/api/admin/bans', { target, ...terms })
  expect(answer.status).toBe(201)
}

describe('the scroll', () => {
  it('of somebody new is empty, sets no cookie and is stored nowhere', async ({ board }) => {
    const guest = fresh(board)
    const answer = await guest.get<Scroll>('/api/scroll')
    expect(answer.body).toMatchObject({ of: 'browser', level: 0, days: 0, removals: 0, today: 'none' })
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store' })
    expect(guest.cookies.size).toBe(0)
  })

  it('rises at midnight in Japan after a day with a post, and says when', async ({ board, thread }) => {
    const guest = fresh(board)
    board.clock.now = Date.parse('2026-11-22T14:59:59Z')
    await writeTo(guest, thread, '一日目', '名無し')
    await board.settle()
    expect(await read(guest)).toMatchObject({ level: 0, today: 'written', dayEndsAt: '2026-11-22T15:00:00.000Z' })
    board.clock.now += 1_000
    expect(await read(guest)).toMatchObject({ level: 1, days: 1, today: 'none', dayEndsAt: '2026-11-23T15:00:00.000Z' })
    for (let day = 2; day <= 5; day += 1) {
      await writeTo(guest, thread, `${day}日目`, '名無し')
      await board.settle()
      board.clock.now += DAY_MS
      expect(await levelOf(guest)).toBe(day)
    }
  })

  it('says what each level opens, lowest first, without what no level opens', async ({ board, browser }) => {
    const admin = await signUp(board, undefined, { isAdmin: true })
    expect((await read(await browser(3))).opens.map(({ what, level, isOpen }) => [what, level, isOpen])).toEqual([
      ['links', 2, true],
      ['images', 2, true],
      ['threads', 3, true],
      ['owner', 3, true],
      ['raid', 3, true],
      ['copies', 3, true],
      ['cooldown', 5, false],
      ['words', 10, false],
    ])
    await admin.put('/api/admin/settings', { levelWords: 21 })
    expect((await read(fresh(board))).opens.map(({ what }) => what)).not.toContain('words')
    await admin.put('/api/admin/settings', { levelWords: 10 })
  })

  it('of a member is that of the account, not of the browser', async ({ board }) => {
    const member = await signUp(board)
    await giveLevel(board, member, 7)
    expect(await read(member)).toMatchObject({ of: 'member', level: 7, levelOfBrowser: null })
    await member.post('/auth/logout')
    expect(await read(member)).toMatchObject({ of: 'browser', level: 0 })
  })
})

describe('a phrase', () => {
  it('is made of easy words, of which none begins another', () => {
    expect(PHRASE_WORDS.length).toBeGreaterThanOrEqual(2_048)
    expect(LEVEL_PHRASE_WORDS * Math.log2(PHRASE_WORDS.length)).toBeGreaterThanOrEqual(66)
    expect(PHRASE_WORDS.filter((word) => !/^[ぁ-ゖー]{3,7}$/.test(word))).toEqual([])
    const sorted = PHRASE_WORDS.toSorted()
    expect(sorted.filter((word, index) => index > 0 && word.startsWith(sorted[index - 1]!))).toEqual([])
  })

  it('moves a level once, however it is typed, and the other browser begins anew', async ({ board, browser }) => {
    const [old, next, third] = [await browser(6), fresh(board), fresh(board)]
    const phrase = await make(old)
    expect(phrase.split(' ').every((word) => PHRASE_WORDS.includes(word))).toBe(true)
    expect((await read(old)).phraseEndsAt).toBe(new Date(board.clock.now + DAY_MS).toISOString())
    const katakana = phrase.replaceAll(/[ぁ-ゖ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))
    const typed = `　${katakana.normalize('NFD').replaceAll(' ', '・')}\n`
    expect(await claim(next, typed)).toMatchObject({ status: 200, body: { of: 'browser', level: 6 } })
    expect([await levelOf(next), await levelOf(old)]).toEqual([6, 0])
    expect((await read(old)).phraseEndsAt).toBeNull()
    const refusal = { status: 404, body: { code: 'not_found', message: messages.phrase_unknown } }
    expect(await claim(third, phrase)).toMatchObject(refusal)
  })

  it('is stored as a hash only', async ({ board, browser }) => {
    const phrase = await make(await browser(2))
    const rows = await board.database.db.selectFrom('levelPhrases').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(phrase.split(' ')[0])
    expect(rows.every(({ phraseHash }) => /^[\w-]{43}$/.test(phraseHash))).toBe(true)
  })

  it('is won by one of many browsers that claim it at once', async ({ board, browser }) => {
    const phrase = await make(await browser(4))
    const rivals = Array.from({ length: 6 }, () => fresh(board))
    const statuses = (await Promise.all(rivals.map((rival) => claim(rival, phrase)))).map(({ status }) => status)
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 404, 404, 404, 404, 404])
    const levels = await Promise.all(rivals.map(levelOf))
    expect(levels.toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 4])
  })

  it('ends after a day, by another one and by its revocation', async ({ board, browser }) => {
    const old = await browser(3)
    const [first, second] = [await make(old), await make(old)]
    expect((await claim(fresh(board), first)).status).toBe(404)
    await old.delete('/api/scroll/phrase')
    expect((await read(old)).phraseEndsAt).toBeNull()
    expect((await claim(fresh(board), second)).status).toBe(404)
    const third = await make(old)
    board.clock.now += DAY_MS
    expect((await claim(fresh(board), third)).status).toBe(404)
    expect(await levelOf(old)).toBe(3)
  })

  it('is not made for nobody, without a level, or for a member', async ({ board, browser }) => {
    const refusalOf = async (guest: Guest) => (await guest.post<Refusal>('/api/scroll/phrase')).body.message
    expect(await refusalOf(fresh(board))).toBe(messages.scroll_empty)
    expect(await refusalOf(await browser(0))).toBe(messages.scroll_empty)
    expect(await refusalOf(await signUp(board))).toBe(messages.phrase_of_member)
  })

  it('stays where it would gain nothing: at home, and where the level is as high', async ({ browser }) => {
    const [old, equal, lower] = [await browser(3), await browser(3), await browser(1)]
    const phrase = await make(old)
    expect(await claim(old, phrase)).toMatchObject({ status: 400, body: { message: messages.phrase_of_own } })
    expect(await claim(equal, phrase)).toMatchObject({ status: 409, body: { message: messages.scroll_not_higher } })
    // Not added up: ten browsers make no higher level than one.
    expect(await claim(lower, phrase)).toMatchObject({ status: 200, body: { level: 3 } })
  })

  it('cannot be guessed: a browser has ten tries an hour, and an address forty', async ({ board }) => {
    const address = '192.0.2.77'
    const one = visit(board, address)
    const guess = (guest: Guest) => claim(guest, 'あさがお いるか うさぎ えんそく おにぎり かるた')
    const statuses: number[] = []
    for (let index = 0; index < 11; index += 1) statuses.push((await guess(one)).status)
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 404), 429])
    let tried = 10
    while ((await guess(visit(board, address))).status === 404) tried += 1
    expect(tried).toBe(40)
  })

  it('works however many wrong ones come from other addresses', async ({ board, browser }) => {
    const phrase = await make(await browser(2))
    for (let network = 0; network < 13; network += 1) {
      const guesses = Array.from({ length: 40 }, () => claim(visit(board, `192.0.3.${network}`), 'あさがお いるか'))
      expect((await Promise.all(guesses)).filter(({ status }) => status !== 404)).toEqual([])
    }
    expect(await claim(fresh(board), phrase)).toMatchObject({ status: 200, body: { level: 2 } })
  })

  it('is neither made nor claimed by a banned browser, and that of one banned later is worth nothing', async ({
    board,
    browser,
  }) => {
    const thread = await startThread(fresh(board))
    const [banned, later, good] = [await browser(5), await browser(5), await browser(5)]
    const phrases = [await make(later), await make(good)]
    await banBrowser(board, thread, banned)
    await banBrowser(board, thread, later)
    expect(await banned.post('/api/scroll/phrase')).toMatchObject({ status: 403, body: { code: 'banned' } })
    expect(await claim(banned, phrases[1]!)).toMatchObject({ status: 403, body: { code: 'banned' } })
    expect(await claim(fresh(board), phrases[0]!)).toMatchObject({ status: 404 })
    expect(await levelOf(later)).toBe(5)
  })
})

describe('a removal after a move', () => {
  it('of what was written before lowers the moved level, and its undo raises it', async ({
    board,
    browser,
    moderator,
  }) => {
    const own = await startThread(fresh(board))
    const [old, next, last] = [await browser(6), fresh(board), fresh(board)]
    const before = await writeTo(old, own, '移る前の荒らし', '名無し')
    board.clock.now += 1_000
    await claim(next, await make(old))
    board.clock.now += 1_000
    await claim(last, await make(next))
    const remove = (postId: string) =>
      moderator.delete<{ actionId: string }>(`/api/admin/posts/${postId}`, { rule: 'disturb' })
    const { status, body } = await remove(before._id)
    expect(status).toBe(200)
    expect(await Promise.all([old, next, last].map(levelOf))).toEqual([0, 0, 5])
    expect(await read(last)).toMatchObject({ removals: 1, today: 'removed' })
    expect((await moderator.post(`/api/admin/actions/${body.actionId}/undo`)).status).toBe(200)
    expect(await levelOf(last)).toBe(6)
    // What the old browser writes later is its own affair.
    board.clock.now += 1_000
    const after = await writeTo(old, own, '移した後の荒らし', '名無し')
    await remove(after._id)
    expect(await levelOf(last)).toBe(6)
    expect(await read(old)).toMatchObject({ level: 0, removals: 1 })
  })

  it('follows the level through any number of browsers, and home again', async ({ board, browser, moderator }) => {
    const own = await startThread(fresh(board))
    const old = await browser(6)
    const remove = (postId: string) => moderator.delete(`/api/admin/posts/${postId}`, { rule: 'disturb' })
    const posts = [await writeTo(old, own, '荒らし', '名無し'), await writeTo(old, own, '荒らし二', '名無し')]
    let last = old
    for (const next of Array.from({ length: 12 }, () => fresh(board))) {
      board.clock.now += 1_000
      expect((await claim(next, await make(last))).status).toBe(200)
      last = next
    }
    await remove(posts[0]!._id)
    expect(await levelOf(last)).toBe(5)
    board.clock.now += 1_000
    expect((await claim(old, await make(last))).status).toBe(200)
    await remove(posts[1]!._id)
    expect([await levelOf(last), await levelOf(old)]).toEqual([0, 4])
  })

  it('is not led astray by a second level that moves through the same browser', async ({
    board,
    browser,
    moderator,
  }) => {
    const own = await startThread(fresh(board))
    const [old, second, safe, decoy] = [await browser(6), await browser(1), fresh(board), fresh(board)]
    const post = await writeTo(old, own, '荒らし', '名無し')
    board.clock.now += 1_000
    await claim(safe, await make(old))
    await claim(old, await make(second))
    const phrase = await make(old)
    const refusal = { status: 409, body: { code: 'already_done', message: messages.scroll_moved_before } }
    expect(await claim(decoy, phrase)).toMatchObject(refusal)
    await moderator.delete(`/api/admin/posts/${post._id}`, { rule: 'disturb' })
    expect(await Promise.all([safe, old, decoy].map(levelOf))).toEqual([5, 1, 0])
  })

  it('stays with the receiver: a move washes nothing off', async ({ board, browser, moderator }) => {
    const own = await startThread(fresh(board))
    const [bad, good] = [await browser(2), await browser(5)]
    for (const text of ['一', '二']) {
      const post = await writeTo(bad, own, text, '名無し')
      await moderator.delete(`/api/admin/posts/${post._id}`, { rule: 'disturb' })
    }
    expect(await claim(bad, await make(good))).toMatchObject({ body: { level: 3, days: 5, removals: 2 } })
  })
})

describe('an account', () => {
  it('takes over the higher level of its browser by a press, once', async ({ board, browser }) => {
    const guest = await browser(8)
    const { name, userId } = await signUp(board)
    await giveLevel(board, { ...guest, userId, name }, 2)
    expect((await guest.post('/api/scroll/join')).status).toBe(401)
    await guest.post('/auth/login', { username: name, password: PASSWORD })
    expect(await read(guest)).toMatchObject({ of: 'member', level: 2, levelOfBrowser: 8 })
    expect(await guest.post('/api/scroll/join')).toMatchObject({
      status: 200,
      body: { level: 8, levelOfBrowser: null },
    })
    expect((await guest.post('/api/scroll/join')).status).toBe(409)
    await guest.post('/auth/logout')
    expect(await levelOf(guest)).toBe(0)
  })

  it('that is deleted takes its level along', async ({ board }) => {
    const member = await signUp(board)
    await giveLevel(board, member, 4)
    const answer = await member.delete('/auth/profile', { name: member.name, currentPassword: PASSWORD })
    expect(answer.status).toBe(200)
    await board.settle()
    const rows = await board.database.db.selectFrom('levels').selectAll().where('actorId', '=', member.userId).execute()
    expect(rows).toEqual([])
  })
})

describe('the removal of a thread', () => {
  it('lowers the level of who opened it by one, and its undo and its restoration give it back', async ({
    board,
    browser,
    moderator,
  }) => {
    const opener = await browser(4)
    const { _id } = await startThread(opener)
    const url = `/api/admin/threads/${_id}`
    const remove = () => moderator.delete<{ actionId: string }>(url, { rule: 'disturb' })
    const { actionId } = (await remove()).body
    expect(await levelOf(opener)).toBe(3)
    expect((await moderator.post(`/api/admin/actions/${actionId}/undo`)).status).toBe(200)
    expect(await levelOf(opener)).toBe(4)
    await remove()
    expect(await levelOf(opener)).toBe(3)
    expect((await moderator.post(`${url}/restore`)).status).toBe(200)
    expect(await levelOf(opener)).toBe(4)
    await board.settle()
  })

  it('counts the opening post once, whichever of the two was removed and restored first', async ({
    browser,
    moderator,
  }) => {
    const opener = await browser(4)
    const thread = await startThread(opener)
    const [post] = (await opener.get<{ _id: string }[]>(`/api/threads/${thread._id}/posts`)).body
    const ofThread = `/api/admin/threads/${thread._id}`
    const ofPost = `/api/admin/posts/${post!._id}`
    const steps: [() => Promise<{ status: number }>, number][] = [
      [() => moderator.delete(ofPost, { rule: 'disturb' }), 3],
      [() => moderator.delete(ofThread, { rule: 'disturb' }), 3],
      [() => moderator.post(`${ofPost}/restore`), 3],
      [() => moderator.post(`${ofThread}/restore`), 4],
      [() => moderator.delete(ofThread, { rule: 'disturb' }), 3],
      [() => moderator.delete(ofPost, { rule: 'disturb' }), 3],
      [() => moderator.post(`${ofThread}/restore`), 3],
      [() => moderator.post(`${ofPost}/restore`), 4],
    ]
    for (const [step, level] of steps) {
      expect((await step()).status).toBe(200)
      expect(await levelOf(opener)).toBe(level)
    }
  })

  it('by its opener costs no level', async ({ browser }) => {
    const opener = await browser(4)
    const thread = await startThread(opener)
    const [post] = (await opener.get<{ _id: string }[]>(`/api/threads/${thread._id}/posts`)).body
    expect((await opener.delete(`/api/threads/${thread._id}/posts/${post!._id}`)).status).toBe(200)
    expect(await levelOf(opener)).toBe(4)
  })
})

it('reads the time of an id', ({ board }) => {
  expect(timeOfUuid(uuidv7(board.clock.now))).toBe(board.clock.now)
})
