/** Nearly equal texts of several newcomers, of which the third waits for a moderator. */
import { describe, expect } from 'vitest'
import { pino } from 'pino'
import type { HeldItem } from '@shinobi/contract/moderation'
import { giveLevel, openBoard, signUp, startThread, visit, type Board, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import type { Messages, Topic } from '../../redis/bus.ts'
import { createRecentTexts } from './recent-texts.ts'
import { createSimilarTexts } from './similar-texts.ts'
import { ROWS, ROWS_ALIKE, signText } from './text-signature.ts'

const CALL =
  'みんな聞いてくれ。この板の運営はわたしたちの書き込みを隠れて消している。いますぐほかの板へ移ろう。合言葉は満月だ。'

let people = 0
const it = boardTest
  .extend('thread', { scope: 'file' }, ({ admin }) => startThread(admin))
  .extend('write', { scope: 'file' }, ({ board, thread }) => {
    /** Posts as somebody new, or as a guest; answers the status. */
    return async (content: string, guest: Guest = newcomer(board)): Promise<number> =>
      (await guest.post(`/api/threads/${thread._id}/posts`, { content, name: '名無し' })).status
  })

const newcomer = (board: Pick<Board, 'listen'>): Guest => visit(board, `198.51.100.${(people += 1)}`)

describe('the third writer of one text within a day', () => {
  it('is held, also with small changes, and moderators see why', async ({ admin, write }) => {
    expect(await write(CALL)).toBe(201)
    expect(await write(`${CALL}！！ 1732`)).toBe(201)
    expect(await write(CALL.replace('いますぐ', 'イマスグ').replace('。', '　！'))).toBe(202)
    expect(await write(`${CALL}よろしくな`)).toBe(202)
    const { held } = (await admin.get<{ held: HeldItem[] }>('/api/admin/held?limit=50')).body
    expect(held.map(({ why, detail }) => [why, detail])).toEqual([
      ['similar', null],
      ['similar', null],
    ])
  })

  it('is held however the letters are disguised, as words are', async ({ write }) => {
    const text = 'よいしらせです。あしたのあさ、みなとのいちばで、かにがいつもの半分のねだんで売られるそうです。'
    const disguises = [
      text,
      [...text].join('\u200b'),
      [...text].join(' '),
      text.replaceAll('た', 'ﾀ').replaceAll('い', 'ィ').replaceAll('。', '☆\n'),
    ]
    const statuses: number[] = []
    for (const disguised of disguises) statuses.push(await write(disguised))
    expect(statuses).toEqual([201, 201, 202, 202])
  })

  it('is held in a wave that arrives at once', async ({ board, thread }) => {
    const text = '橋のたもとで待つ者たちへ。月が隠れる前に、川向こうの蔵から米と塩を運び出してほしい。礼は倍にする。'
    const wave = Array.from({ length: 12 }, (_, index) =>
      visit(board, `192.0.2.${index + 1}`).post(`/api/threads/${thread._id}/posts`, {
        content: `${text}${'！'.repeat(index)}`,
        name: '名無し',
      }),
    )
    const published = (await Promise.all(wave)).filter(({ status }) => status === 201)
    expect(published).toHaveLength(2)
  })

  it('is held as the opener of a thread too', async ({ board }) => {
    const content = '転載します。今朝の川べりで、だれも見たことのない大きな鳥が三羽、朝もやの中を北へ飛んでいきました。'
    const statuses: number[] = []
    for (const title of ['大きな鳥', '鳥の話', 'これを見てくれ']) {
      statuses.push((await newcomer(board).form('/api/threads', { title, content, category: 'general' })).status)
    }
    expect(statuses).toEqual([201, 201, 202])
  })

  it('is held on a server that has just started, which knows the last day from the database', async ({
    board,
    write,
    thread,
    onTestFinished,
  }) => {
    const text = '号外を配っています。城下の井戸がすべて涸れたので、今夜のうちに山の泉まで水を汲みに行ってください。'
    expect([await write(text), await write(text)]).toEqual([201, 201])
    const restarted = await openBoard({ SPAM_POSTS: '100000' }, board.database)
    onTestFinished(() => restarted.close())
    await restarted.settle()
    const post = { content: text, name: '名無し' }
    expect((await newcomer(restarted).post(`/api/threads/${thread._id}/posts`, post)).status).toBe(202)
  })

  it('is published where the writer is trusted: from a level on, and as staff', async ({ board, moderator, write }) => {
    const text =
      'お知らせの写しです。明日の夜十時から板の手入れがあるので、一時間ほど書き込めなくなるそうです。ご注意を。'
    expect([await write(text), await write(text)]).toEqual([201, 201])
    const trusted = await signUp(board)
    await giveLevel(board, trusted, 3)
    expect([await write(text, trusted), await write(text, moderator)]).toEqual([201, 201])
    const lower = await signUp(board)
    await giveLevel(board, lower, 2)
    expect(await write(text, lower)).toBe(202)
  })

  it('is published where administrators switch the comparison off', async ({ admin, write }) => {
    const text = '歌の会のお誘いです。今度の満月の晩に、河原の大きな柳の下で、笛と太鼓を持ち寄って朝まで歌いましょう。'
    await admin.put('/api/admin/settings', { levelCopies: 0 })
    for (let index = 0; index < 4; index += 1) expect(await write(text)).toBe(201)
    await admin.put('/api/admin/settings', { levelCopies: 3 })
  })

  it('may be the same person as often as they like, and anybody a day later', async ({ board, write }) => {
    const guest = newcomer(board)
    const text = '今日の献立です。朝は焼き鮭と味噌汁、昼はおにぎりを二つ、夜は大根と鶏肉の煮物にするつもりでいます。'
    for (let index = 0; index < 4; index += 1) expect(await write(text, guest)).toBe(201)
    expect(await write(text)).toBe(201)
    board.clock.now += 86_400_001
    expect(await write(text)).toBe(201)
  })
})

describe('what people write alike', () => {
  it.for([
    '草',
    'それな',
    'おはようございます。今日もよろしくお願いします。',
    '新年あけましておめでとうございます。本年もどうぞよろしくお願いいたします。',
    'お誕生日おめでとうございます！！素敵な一年になりますように（＾▽＾）',
    '>>12 ありがとうございます。助かりました。',
    'https://news.example.jp/2026/11/21/articles/the-long-name-of-an-article-about-the-moon.html',
    `> ${CALL}\nこれはひどい`,
    '━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━━',
    'あ'.repeat(200),
    `${'ｗ'.repeat(60)}腹痛い${'ｗ'.repeat(60)}`,
  ])('is never held: %s', async (text, { write }) => {
    for (let writer = 0; writer < 4; writer += 1) expect(await write(text)).toBe(201)
  })
})

const common = (one: string, other: string): number => {
  const [a, b] = [signText(one)!, signText(other)!]
  return a.filter((row, index) => row === b[index]).length
}

describe('the signature of a text', () => {
  it('is the same in another spelling, and mostly so with a small change', () => {
    expect(common(CALL, CALL.replaceAll('た', 'ﾀ').replaceAll('。', '\n'))).toBe(ROWS)
    expect(common(CALL, `${CALL}満月`)).toBeGreaterThanOrEqual(ROWS_ALIKE + 2)
  })

  it('is different for a text on one subject in different words', () => {
    const other =
      '聞いた話だと、運営が勝手に投稿を消しているらしい。だからわたしは別の掲示板に引っ越そうかと考えている。'
    expect(common(CALL, other)).toBeLessThanOrEqual(4)
  })

  it('does not exist for a text of fewer than 40 letters, however long its quotes, addresses and signs are', () => {
    expect(signText([...CALL.replaceAll('。', '')].slice(0, 39).join('') + '！'.repeat(100))).toBeNull()
    expect(signText(`>${CALL}\nhttps://example.jp/${'a'.repeat(100)} なるほど`)).toBeNull()
    expect(signText([...CALL.replaceAll('。', '')].slice(0, 45).join(''))).not.toBeNull()
  })

  it('takes time in proportion to the length of the text, whatever it is made of', () => {
    // Quadratic time would take minutes.
    for (const piece of ['\n', '\u2028', ' ', '>\n']) expect(signText(`${piece.repeat(400_000)}>1`)).toBeNull()
  })
})

describe('the texts in memory', () => {
  /** Different texts: of each the rows are its number. */
  const text = (number: number, writer = number) => ({
    writer,
    at: 1_000 + number,
    rows: new Int32Array(ROWS).fill(number),
  })

  it('are limited in number, of which the oldest are forgotten first', () => {
    const recent = createRecentTexts(10)
    for (let number = 1; number <= 25; number += 1) recent.note(text(number), 0)
    expect([16, 20, 25].map((number) => recent.note(text(number, 99), 0))).toEqual([1, 1, 1])
    expect(recent.note(text(5, 99), 0)).toBe(0)
  })

  it('hold three writers of one text, however many come', () => {
    const recent = createRecentTexts(10)
    recent.note(text(1), 0)
    for (let writer = 100; writer < 200; writer += 1) recent.note(text(2, writer), 0)
    expect(recent.note(text(1, 99), 0)).toBe(1)
    expect(recent.note(text(2, 100), 0)).toBe(2)
    expect(recent.note(text(2, 300), 0)).toBe(3)
  })

  it('take those of before the start while there is room, and lose these first', () => {
    const recent = createRecentTexts(10)
    for (let number = 1; number <= 4; number += 1) recent.note(text(100 + number), 0)
    const taken = Array.from({ length: 10 }, (_, index) => recent.noteEarlier(text(20 - index)))
    expect(taken.filter(Boolean)).toHaveLength(6)
    // The oldest of them makes room for the next text.
    for (let number = 5; number <= 6; number += 1) recent.note(text(100 + number), 0)
    recent.note(text(107), 0)
    expect(recent.note(text(20, 99), 0)).toBe(1)
    expect(recent.note(text(15, 98), 0)).toBe(0)
  })

  it('are not compared in a flood, which raid mode stops by its number', ({ board }) => {
    let at = 5_000
    const options = { db: board.database.db, now: () => at, log: pino({ level: 'silent' }), bus: null, clock: () => at }
    const similarTexts = createSimilarTexts(options)
    const flood = Array.from({ length: 101 }, (_, index) =>
      similarTexts.note(`019aa000-0000-7000-8000-${String(index).padStart(12, '0')}`, CALL),
    )
    expect([flood[0], flood[2], flood[99], flood[100]]).toEqual([false, true, true, false])
    at += 1_000
    expect(similarTexts.note('019aa000-0000-7000-8000-00000000ffff', CALL)).toBe(true)
  })

  it('come from the other servers too', ({ board }) => {
    const listeners: ((message: never) => void)[] = []
    const bus = {
      publish: <T extends Topic>(_: T, message: Messages[T]) => listeners.forEach((listen) => listen(message as never)),
      subscribe: <T extends Topic>(_: T, listener: (message: Messages[T]) => void) => void listeners.push(listener),
    }
    const { db, clock } = { db: board.database.db, clock: board.clock }
    const options = { db, now: () => clock.now, log: pino({ level: 'silent' }) }
    const [one, other] = [createSimilarTexts({ ...options, bus }), createSimilarTexts({ ...options, bus })]
    const third = createSimilarTexts({ ...options, bus })
    const writers = ['00000001', '00000002', '00000003'].map((end) => `019aa000-0000-7000-8000-0000${end}`)
    expect(one.note(writers[0]!, CALL)).toBe(false)
    expect(other.note(writers[1]!, CALL)).toBe(false)
    expect(third.note(writers[2]!, CALL)).toBe(true)
  })
})
