import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { WordInput, WordRule, WordTrial } from '@shinobi/contract/words'
import {
  openBoard,
  signUp,
  startThread,
  visit,
  writeTo,
  type Answer,
  type Board,
  type MemberGuest,
} from '../../testing/board.ts'
import { tryWordRule } from './word-trial.service.ts'

const DAY = 86_400_000
const NOWHERE = '01900000-0000-7000-8000-00000000dead'
const WORDS = '/api/admin/words'

interface Page {
  words: WordRule[]
  next: string | null
  total: number
}

let board: Board
let second: Board
let admin: MemberGuest
beforeAll(async () => {
  board = await openBoard({ SPAM_POSTS: '100000' })
  second = await openBoard({}, board.database)
  admin = await signUp(board, '半蔵さん', { isAdmin: true })
  await board.database.db.deleteFrom('bannedWords').execute()
})
afterEach(async () => {
  await board.database.db.deleteFrom('bannedWords').execute()
  await board.deps.words.reload()
})
afterAll(async () => {
  await second.close()
  await board.close()
})

const add = (rule: Partial<WordInput>): Promise<Answer<WordRule & { code?: string; message?: string }>> =>
  admin.post(WORDS, rule)
async function added(rule: Partial<WordInput>): Promise<WordRule> {
  const answer = await add(rule)
  expect(answer.status).toBe(201)
  await board.deps.revisions.settle()
  return answer.body
}
const judge = (text: string) => board.deps.words.judge(text)
const list = async (query = ''): Promise<Page> => (await admin.get<Page>(`${WORDS}${query}`)).body
/** The newest entries of the log. */
async function logged(count: number) {
  const rows = await board.database.db.selectFrom('auditLog').selectAll().orderBy('id', 'desc').limit(count).execute()
  return rows.map(({ action, actorName, subject, details, isPublic }) => ({
    action,
    actorName,
    subject,
    details,
    isPublic,
  }))
}

describe('a word rule', () => {
  it('matches its word in any spelling, and returns its action', async () => {
    await added({ word: 'バカ', action: 'block' })
    for (const text of ['ばか', 'ﾊﾞｶ', 'バ\u200bカ', 'ば か', 'バ力', 'は゛か']) {
      expect(judge(`この${text}！`)).toEqual({ action: 'block', word: 'バカ', text: `この${text}！`, flagged: null })
    }
    expect(judge('馬鹿')).toEqual({ action: 'pass', word: null, text: '馬鹿', flagged: null })
  })

  it('is overruled by a stronger action in the same text', async () => {
    const stronger: string[] = ['flag', 'mask', 'hold', 'block']
    for (const [index, action] of stronger.entries()) {
      await added({ word: ['旗旗', '面面', '留留', '止止'][index]!, action: action as WordInput['action'] })
      expect(judge('旗旗、面面、留留、止止')).toMatchObject({ action, word: ['旗旗', '面面', '留留', '止止'][index] })
      expect(judge('旗旗、面面、留留、止止').flagged).toBe('旗旗')
    }
  })

  it('does not match inside an allowed longer word', async () => {
    await added({ word: 'ass', allow: ['class'], action: 'hold' })
    expect(judge('first CLASS').action).toBe('pass')
    expect(judge('class and ass')).toMatchObject({ action: 'hold', word: 'ass' })
  })

  it('refuses names, except when it only flags', async () => {
    await added({ word: '手裏剣', action: 'flag' })
    expect(board.deps.words.isBanned('手裏剣')).toBe(false)
    for (const action of ['mask', 'hold', 'block'] as const) {
      const { _id } = await added({ word: 'くない', action })
      expect(board.deps.words.isBanned('クナイ')).toBe(true)
      await admin.delete(`${WORDS}/${_id}`)
    }
    await board.deps.revisions.settle()
    expect(board.deps.words.isBanned('クナイ')).toBe(false)
  })

  it('applies on every server', async () => {
    const { _id } = await added({ word: '煙玉', action: 'block' })
    await second.deps.revisions.settle()
    expect(second.deps.words.judge('けむり玉と煙玉').action).toBe('block')
    await admin.put(`${WORDS}/${_id}`, { word: '煙玉', action: 'flag' })
    await second.deps.revisions.settle()
    expect(second.deps.words.judge('煙玉').action).toBe('flag')
    await admin.delete(`${WORDS}/${_id}`)
    await second.deps.revisions.settle()
    expect(second.deps.words.judge('煙玉').action).toBe('pass')
  })

  it('refuses posts over HTTP as soon as it is created', async () => {
    const guest = visit(board)
    const thread = await startThread(guest)
    await added({ word: '撒菱', action: 'block' })
    const answer = await guest.post(`/api/threads/${thread._id}/posts`, { content: '撒★菱', name: '名無しの忍者' })
    expect(answer).toMatchObject({ status: 400, body: { code: 'banned_word', message: messages.banned_word } })
  })
})

describe('a masking rule', () => {
  it.each([
    ['死ねよ', '＊＊よ'],
    ['おまえ死 ねよ', 'おまえ＊＊＊よ'],
    ['ﾀﾋねよ', '＊＊＊よ'],
    ['死\u200bね', '＊＊'],
    ['死🔥ね🔥', '＊＊＊🔥'],
    ['死👨‍👩‍👧ね', '＊＊＊'],
    ['死\nねむい', '＊\n＊むい'],
    ['死ね死ね', '＊＊＊＊'],
    ['は゛かの子', '＊＊＊の子'],
    ['は\u3099かの子', '＊＊の子'],
    ['ﾊﾞｶの子', '＊＊の子'],
    ['　　 死ね 　', '　　 ＊＊ 　'],
    ['ばかば', '＊＊ば'],
    ['死ね\ufe0fと👨‍👩‍👧', '＊＊と👨‍👩‍👧'],
  ])('changes %j to %j', async (text, masked) => {
    await added({ word: '死ね', action: 'mask' })
    await added({ word: 'バカ', action: 'mask' })
    expect(judge(text)).toMatchObject({ action: 'mask', text: masked })
  })

  it('masks overlapping words once, skips allowed words, and applies beside a stronger rule', async () => {
    await added({ word: 'あい', action: 'mask', allow: ['あいさつ'] })
    await added({ word: 'いう', action: 'mask' })
    await added({ word: '止止', action: 'hold' })
    expect(judge('あいうと、あいさつ。止止')).toEqual({
      flagged: null,
      action: 'hold',
      word: '止止',
      text: '＊＊＊と、あいさつ。止止',
    })
  })
})

describe('the list of words', () => {
  it('is paged newest first, and is searched by a part of a word in any spelling', async () => {
    for (const word of ['手裏剣', 'バナナ', '撒菱', 'バ カ']) await added({ word })
    const first = await list('?limit=3')
    expect([first.words.map(({ word }) => word), first.total]).toEqual([['バ カ', '撒菱', 'バナナ'], 4])
    const rest = await list(`?limit=3&cursor=${first.next}`)
    expect([rest.words.map(({ word }) => word), rest.next, rest.total]).toEqual([['手裏剣'], null, 4])
    expect((await list(`?q=${encodeURIComponent('ば')}`)).words.map(({ word }) => word)).toEqual(['バ カ', 'バナナ'])
    const found = await list(`?limit=1&q=${encodeURIComponent('ﾊﾞ')}`)
    expect([found.words.map(({ word }) => word), found.total]).toEqual([['バ カ'], 2])
    const foundNext = await list(`?limit=1&q=${encodeURIComponent('ﾊﾞ')}&cursor=${found.next}`)
    expect([foundNext.words.map(({ word }) => word), foundNext.next]).toEqual([['バナナ'], null])
    expect(await list(`?q=${encodeURIComponent('猫')}`)).toEqual({ words: [], next: null, total: 0 })
  })

  it('refuses an existing word in any spelling, and a word of signs only', async () => {
    const { _id } = await added({ word: '死ね', note: '元から' })
    for (const word of ['死ね', '死 ね', 'タヒね']) {
      expect(await add({ word })).toMatchObject({ status: 409, body: { code: 'taken', message: messages.word_taken } })
    }
    expect(await add({ word: '☆☆' })).toMatchObject({
      status: 400,
      body: { code: 'bad_word', message: messages.word_empty },
    })
    expect(await add({ word: ' ' })).toMatchObject({ status: 400, body: { code: 'bad_word' } })
    expect(await add({ word: 'あ'.repeat(61) })).toMatchObject({
      status: 400,
      body: { code: 'bad_word', message: messages.word_too_long },
    })
    const other = await added({ word: '生きろ' })
    expect(await admin.put(`${WORDS}/${other._id}`, { word: '死・ね' })).toMatchObject({ status: 409 })
    // Another spelling of the rule's own word is no conflict.
    expect(await admin.put(`${WORDS}/${_id}`, { word: '死・ね' })).toMatchObject({ status: 200 })
    expect((await list()).words.map(({ word }) => word)).toEqual(['生きろ', '死・ね'])
  })

  it('accepts only one of several simultaneous words with equal folds', async () => {
    const answers = await Promise.all([add({ word: 'くの一' }), add({ word: 'クノ一' }), add({ word: 'く の 一' })])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409, 409])
  })

  it('is for administrators only, and answers 404 for a missing rule', async () => {
    const moderator = await signUp(board, undefined, { moderates: 'all' })
    expect((await moderator.get(WORDS)).status).toBe(403)
    expect((await visit(board).post(WORDS, { word: '猫' })).status).toBe(401)
    for (const answer of [
      await admin.put(`${WORDS}/${NOWHERE}`, { word: '猫' }),
      await admin.delete(`${WORDS}/${NOWHERE}`),
    ])
      expect(answer).toMatchObject({ status: 404, body: { message: messages.word_not_found } })
  })

  it('keeps the fields that a change leaves out, which somebody else may have changed', async () => {
    const { _id } = await added({ word: '鎖鎌', allow: ['鎖鎌術'], action: 'hold', note: '喧嘩' })
    await admin.put(`${WORDS}/${_id}`, { note: '喧嘩の元' })
    await admin.put(`${WORDS}/${_id}`, { action: 'flag' })
    const rule = { word: '鎖鎌', allow: ['鎖鎌術'], action: 'flag', note: '喧嘩の元' }
    expect((await list()).words).toMatchObject([rule])
    expect((await admin.put<WordRule>(`${WORDS}/${_id}`, { allow: [] })).body).toMatchObject({ ...rule, allow: [] })
  })

  it('logs every change with before and after, and not in the public log', async () => {
    const { _id } = await added({ word: '鎖鎌', allow: ['鎖鎌術'], action: 'hold', note: '喧嘩' })
    await admin.put(`${WORDS}/${_id}`, { word: '鎖がま', action: 'block' })
    await admin.delete(`${WORDS}/${_id}`)
    const first = { word: '鎖鎌', allow: ['鎖鎌術'], action: 'hold', note: '喧嘩' }
    const then = { ...first, word: '鎖がま', action: 'block' }
    const shared = { actorName: '半蔵さん', isPublic: false }
    expect(await logged(3)).toEqual([
      { ...shared, action: 'word_delete', subject: '鎖がま', details: { before: then } },
      { ...shared, action: 'word_change', subject: '鎖がま', details: { before: first, after: then } },
      { ...shared, action: 'word_create', subject: '鎖鎌', details: { after: first } },
    ])
  })
})

describe('an import', () => {
  const importing = (words: string, action = 'block') =>
    admin.post<{ added: number; known: number; unusable: string[] }>(`${WORDS}/import`, { words, action })

  it('adds one word per line, skips existing ones, and reports unusable ones', async () => {
    await added({ word: '手裏剣', action: 'flag' })
    const lines = ['  撒菱 ', '', '手 裏 剣', '☆', 'バカ\r', 'ばか', 'あ'.repeat(61), 'かぎ縄'].join('\n')
    const answer = await importing(lines, 'mask')
    expect(answer).toMatchObject({ status: 200, body: { added: 3, known: 2, unusable: ['☆', 'あ'.repeat(61)] } })
    const words = (await list()).words.map(({ word, action }) => [word, action])
    // All have the same creation time; the test does not rely on their order.
    expect(words.toSorted(([a], [b]) => (a! < b! ? -1 : 1))).toEqual([
      ['かぎ縄', 'mask'],
      ['バカ', 'mask'],
      ['手裏剣', 'flag'],
      ['撒菱', 'mask'],
    ])
    expect(await logged(1)).toEqual([
      {
        action: 'words_import',
        actorName: '半蔵さん',
        subject: '3件',
        details: { after: { action: 'mask', words: ['撒菱', 'バカ', 'かぎ縄'] } },
        isPublic: false,
      },
    ])
    await board.deps.revisions.settle()
    expect(judge('まき菱と撒菱').text).toBe('まき菱と＊＊')
    expect((await importing(lines)).body).toMatchObject({ added: 0, known: 5 })
  })

  it('accepts a file of the largest size, and refuses rules beyond the limit', async () => {
    const word = (index: number) => `禁${String(index).padStart(5, '0')}語`
    const lines = (from: number, count: number) => Array.from({ length: count }, (_, i) => word(from + i)).join('\n')
    expect((await importing(lines(0, 10_000))).body.added).toBe(10_000)
    expect((await importing(lines(10_000, 10_000))).body.added).toBe(10_000)
    expect(await importing('もう一つ')).toMatchObject({ status: 409, body: { message: messages.words_full } })
    expect(await add({ word: 'もう一つ' })).toMatchObject({ status: 409, body: { message: messages.words_full } })
    await board.deps.revisions.settle()
    expect(judge(`ここに${word(19_999)}がある`)).toMatchObject({ action: 'block', word: word(19_999) })
  })
})

describe('a trial', () => {
  const trial = (rule: Partial<WordInput>, who = admin) => who.post<WordTrial>(`${WORDS}/trial`, rule)

  it('shows the matches of the last 7 days, newest first, and changes nothing', async () => {
    const guest = visit(board)
    const start = board.clock.now
    const old = await startThread(guest, { title: '昔の話です', content: '水蜘蛛は昔' })
    board.clock.now = start + 8 * DAY
    const thread = await startThread(guest, { title: '忍具について', content: '水蜘蛛で歩く' })
    await writeTo(guest, thread, '何もない')
    const removed = await writeTo(guest, thread, '水蜘蛛を消された')
    await board.database.db
      .updateTable('posts')
      .set({ deletedAt: new Date(board.clock.now) })
      .where('id', '=', removed._id)
      .execute()
    const gone = await startThread(guest, { title: '消えた話です', content: '水蜘蛛と共に' })
    await board.database.db
      .updateTable('threads')
      .set({ removedAt: new Date(board.clock.now) })
      .where('id', '=', gone._id)
      .execute()
    const before = `${'前'.repeat(60)}𠮷`
    const newest = await writeTo(guest, thread, `${before}${'間'.repeat(39)}水 グモ${'後'.repeat(60)}`)
    await writeTo(guest, thread, '水グモ術は別')

    const later = await signUp(board, undefined, { isAdmin: true })
    const { status, body } = await trial({ word: '水ぐも', allow: ['水グモ術'] }, later)
    expect([status, body.total, body.complete]).toEqual([200, 1, true])
    expect(body.examined).toBe(6)
    const [hit] = body.hits
    expect(hit).toMatchObject({ threadId: thread._id, postId: newest._id, number: 4, title: '忍具について' })
    expect(hit!.text.slice(hit!.start, hit!.end)).toBe('水 グモ')
    expect(hit!.text.isWellFormed()).toBe(true)
    expect(hit!.text.length).toBeLessThan(newest.content.length)

    const byKanji = (await trial({ word: '水蜘蛛' }, later)).body
    expect(byKanji.hits.map(({ threadId }) => threadId)).toEqual([thread._id])
    expect(byKanji.hits.map(({ threadId }) => threadId)).not.toContain(old._id)
    expect((await later.get<Page>(WORDS)).body.total).toBe(0)
    expect(await trial({ word: '☆' }, later)).toMatchObject({ status: 400, body: { message: messages.word_empty } })
    board.clock.now = start
  })

  it('reports how far it got when there are too many posts', async () => {
    const guest = visit(board)
    board.clock.now += 100 * DAY
    const thread = await startThread(guest)
    for (let number = 2; number <= 5; number += 1) {
      board.clock.now += 1_000
      await writeTo(guest, thread, `鎖鎌その${number}`)
    }
    const rule = { word: '鎖鎌', allow: [] }
    const some = await tryWordRule(board.deps, rule, { posts: 2 })
    const oldest = new Date(board.clock.now - 1_000).toISOString()
    expect(some).toMatchObject({ examined: 2, total: 2, complete: false, since: oldest })
    const all = await tryWordRule(board.deps, rule, { posts: 5 })
    const since = new Date(board.clock.now - 7 * DAY).toISOString()
    expect(all).toMatchObject({ examined: 5, total: 4, complete: true, since })
    const none = await tryWordRule(board.deps, rule, { withinMs: 0 })
    expect(none).toMatchObject({ examined: 0, complete: false })
    board.clock.now -= 100 * DAY + 4_000
  })
})
