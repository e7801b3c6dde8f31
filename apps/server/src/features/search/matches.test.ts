/** Why a search found a thread, its filters, and the search in one thread. */
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { FoundPosts } from '@shinobi/contract/posts'
import type { SearchMatch, ThreadItem } from '@shinobi/contract/threads'
import { signUp, startThread, writeTo, type Answer } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'
import { reportTimes } from '../../testing/reporting.ts'

const HOUR = 3_600_000
const characters = new Intl.Segmenter('ja')

const it = boardTest.extend('helpers', ({ board, guest }) => {
  /** A cached result may be a second old. */
  async function settle(): Promise<void> {
    await board.settle()
    board.clock.now += 2_000
  }
  async function list(search: string, more = ''): Promise<ThreadItem[]> {
    const answer = await guest.get<ThreadItem[]>(`/api/threads?search=${encodeURIComponent(search)}${more}`)
    expect([search, answer.status]).toEqual([search, 200])
    if (answer.body.every(({ match }) => match !== undefined)) return answer.body
    // Reasons that take a busy machine too long are left out.
    board.clock.now += 2_000
    return list(search, more)
  }
  const titles = async (search: string, more = '') => (await list(search, more)).map(({ title }) => title)
  const matchOf = async (search: string, more = ''): Promise<SearchMatch | undefined> =>
    (await list(search, more))[0]?.match
  const find = (threadId: string, search: string, more = ''): Promise<Answer<FoundPosts>> =>
    guest.get<FoundPosts>(`/api/threads/${threadId}/posts/search?search=${encodeURIComponent(search)}${more}`)
  const numbers = async (threadId: string, search: string) =>
    (await find(threadId, search)).body.found.map(({ number }) => number)
  return { settle, list, titles, matchOf, find, numbers }
})

describe('a thread that a search found', () => {
  it('shows the post with the words, with the hit marked as it was typed', async ({ guest, helpers }) => {
    const thread = await startThread(guest, { title: '河原の合戦', content: '集合は夜明け前' })
    await writeTo(guest, thread, `${'前置き。'.repeat(80)}そこで\nﾎﾗｶﾞｲが鳴った${'後書き。'.repeat(80)}`)
    await writeTo(guest, thread, 'ＡＢＣと書いた旗')
    await helpers.settle()
    for (const word of ['法螺貝', 'ほらがい', 'ホラガイ', 'ﾎﾗｶﾞｲ']) {
      const match = await helpers.matchOf(word)
      if (word === '法螺貝') {
        expect(match).toBeUndefined()
        continue
      }
      expect(match).toMatchObject({ number: 2, hits: 1 })
      expect(match!.parts[1]).toBe('ﾎﾗｶﾞｲ')
      expect(match!.parts[0]).toMatch(/^….*そこで $/u)
      expect([...characters.segment(match!.parts.join(''))].length).toBeLessThanOrEqual(120)
    }
    expect(await helpers.matchOf('abcと')).toEqual({ number: 3, parts: ['', 'ＡＢＣと', '書いた旗'], hits: 1 })
    expect(await helpers.matchOf('河原の')).toEqual({ number: null, parts: ['', '河原の', '合戦'], hits: 0 })
  })

  it('shows the first post with all words, or else with most of them, and counts up to 100', async ({
    board,
    guest,
    helpers,
  }) => {
    const thread = await startThread(guest, { title: '甲賀の里', content: '水蜘蛛の話' })
    await writeTo(guest, thread, '鉤縄の話')
    await writeTo(guest, thread, '鉤縄と水蜘蛛の話')
    await writeTo(guest, thread, '水蜘蛛と鉤縄の話')
    await helpers.settle()
    const ofBoth = { number: 3, parts: ['', '鉤縄', 'と', '水蜘蛛', 'の話'], hits: 2 }
    expect(await helpers.matchOf('水蜘蛛 鉤縄')).toEqual(ofBoth)
    // The title has 甲賀, so a post shows the rest.
    const ofRest = { number: 2, parts: ['鉤', '縄の話', ''], hits: 2 }
    expect(await helpers.matchOf('甲賀 "縄の話"')).toEqual(ofRest)
    // The posts of long threads are found by the index.
    const { db } = board.database
    await db.updateTable('threads').set({ postCount: 6_000 }).where('id', '=', thread._id).execute()
    expect(await helpers.matchOf('水蜘蛛 鉤縄', '&limit=7')).toEqual(ofBoth)
    expect(await helpers.matchOf('甲賀 "縄の話"', '&limit=7')).toEqual(ofRest)
    await db.updateTable('threads').set({ postCount: 4 }).where('id', '=', thread._id).execute()
    for (let count = 0; count < 105; count += 1) await writeTo(guest, thread, `火薬玉 ${count}`)
    await helpers.settle()
    expect(await helpers.matchOf('火薬玉')).toMatchObject({ number: 5, hits: 100 })
  })

  it('never shows a removed post, also not from the cache, nor the text of a folded one', async ({
    board,
    guest,
    admin,
    helpers,
  }) => {
    const thread = await startThread(guest, { title: '目安箱', content: 'ご意見をどうぞ' })
    const first = await writeTo(guest, thread, '秘伝書を盗んだのは', '影')
    const second = await writeTo(guest, thread, '秘伝書は無事', '影')
    await helpers.settle()
    expect(await helpers.matchOf('秘伝書')).toMatchObject({ number: 2, hits: 2 })
    expect(await helpers.numbers(thread._id, '秘伝書')).toEqual([2, 3])

    await admin.delete(`/api/admin/posts/${first._id}?rule=law`)
    expect(await helpers.matchOf('秘伝書')).toMatchObject({ number: 3, hits: 1 })
    expect(await helpers.numbers(thread._id, '秘伝書')).toEqual([3])

    await reportTimes(board, second, 3)
    expect(await helpers.matchOf('秘伝書')).toEqual({ number: 3, parts: [], hits: 1 })
    expect((await helpers.find(thread._id, '秘伝書')).body.found).toEqual([{ number: 3, parts: [] }])
  })

  it('has no reason in a list without a search, nor on its own page', async ({ guest, helpers }) => {
    const thread = await startThread(guest, { title: '素の一覧', content: '検索ではない' })
    await helpers.settle()
    const listed = await guest.get<ThreadItem[]>('/api/threads')
    expect(listed.body.every((item) => !('match' in item))).toBe(true)
    expect((await guest.get<ThreadItem>(`/api/threads/${thread._id}`)).body).not.toHaveProperty('match')
  })
})

describe('filters of a search', () => {
  it('look only among the posts of a period, of a writer and with an image, also together', async ({
    board,
    guest,
    helpers,
  }) => {
    const old = await startThread(guest, { title: '去年の祭り', content: '打上花火を見た', nickname: '古株' })
    await writeTo(guest, old, '風鈴も買った', 'ｻｽｹ')
    board.clock.now += 40 * 24 * HOUR
    const recent = await startThread(guest, { title: '先月の祭り', content: '屋台だけ' })
    const form = { content: '打上花火の絵', name: 'サスケ丸', image: await picture() }
    await guest.form(`/api/threads/${recent._id}/posts`, form)
    board.clock.now += 2 * 24 * HOUR
    await writeTo(guest, old, '打上花火はまだか', '佐助')
    await helpers.settle()

    for (const sort of ['', '&sort=popular']) {
      const titles = (more: string) => helpers.titles('打上花火', more + sort)
      expect(await helpers.titles('打上花火')).toEqual(['先月の祭り', '去年の祭り'])
      expect(await titles('&within=day')).toEqual(['去年の祭り'])
      expect((await titles('&within=week')).toSorted()).toEqual(['先月の祭り', '去年の祭り'].toSorted())
      expect(await titles('&image=1')).toEqual(['先月の祭り'])
      expect(await titles(`&name=${encodeURIComponent('ｻｽｹ')}`)).toEqual(['先月の祭り'])
      expect(await titles(`&name=${encodeURIComponent('さすけ')}&image=1&within=month`)).toEqual(['先月の祭り'])
      expect(await titles(`&name=${encodeURIComponent('佐助')}&image=1`)).toEqual([])
      expect(await titles('&image=1&within=day')).toEqual([])
    }
    expect(await helpers.matchOf('打上花火', '&within=day')).toMatchObject({ number: 3, hits: 1 })
    expect(await helpers.titles('打上花火 風鈴')).toEqual(['去年の祭り'])
    expect(await helpers.titles('打上花火 風鈴', '&within=day')).toEqual([])
  })

  it('find a writer by the name as it is shown, or without what shows nothing', async ({ guest, helpers }) => {
    const writers = ['❤️りん', '(ﾟДﾟ)', 'か゛く', '葛\u{e0100}城']
    for (const nickname of writers)
      await startThread(guest, { title: `${nickname}の話`, content: '線香花火', nickname })
    await helpers.settle()
    for (const name of [...writers, '葛城']) {
      const title = `${name === '葛城' ? writers[3]! : name}の話`
      expect(await helpers.titles('線香花火', `&name=${encodeURIComponent(name)}`)).toEqual([title])
    }
  })

  it('never add results: -words leave a thread out whoever wrote them', async ({ guest, helpers }) => {
    const thread = await startThread(guest, { title: '茶室の約束', content: '抹茶碗を割るな', nickname: '亭主' })
    await writeTo(guest, thread, '羊羹もある', '客')
    await helpers.settle()
    expect(await helpers.titles('抹茶碗', `&name=${encodeURIComponent('亭主')}`)).toEqual(['茶室の約束'])
    expect(await helpers.titles('抹茶碗 -羊羹', `&name=${encodeURIComponent('亭主')}`)).toEqual([])
  })

  it('stay in the address of the next page, and are refused when nobody can have meant them', async ({
    guest,
    helpers,
  }) => {
    for (const title of ['石垣その一', '石垣その二', '石垣その三']) {
      await startThread(guest, { title, content: '積み方', nickname: '石工' })
    }
    await helpers.settle()
    const query = `search=${encodeURIComponent('石垣')}&name=${encodeURIComponent('石工')}&within=day`
    const first = await guest.get<ThreadItem[]>(`/api/threads?limit=2&${query}`)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')![1]!
    expect(new URL(next, 'http://board').searchParams.get('within')).toBe('day')
    const second = await guest.get<ThreadItem[]>(next)
    expect([...first.body, ...second.body].map(({ title }) => title)).toEqual([
      '石垣その三',
      '石垣その二',
      '石垣その一',
    ])
    const tooLong = await guest.get<{ message: string }>(`/api/threads?search=a&name=${'a'.repeat(21)}`)
    expect([tooLong.status, tooLong.body.message]).toEqual([400, messages.search_name_too_long])
    expect((await guest.get('/api/threads?search=a&within=hour')).status).toBe(400)
  })
})

describe('the search in one thread', () => {
  it('answers fewer long posts at a time, and says where it goes on', async ({ guest, helpers }) => {
    const thread = await startThread(guest, { title: '絵文字の壁', content: '壁の前' })
    await Promise.all(Array.from({ length: 20 }, () => writeTo(guest, thread, `${'👨‍👩‍👧'.repeat(2_400)}抜け穴`)))
    await helpers.settle()
    const first = (await helpers.find(thread._id, '抜け穴')).body
    expect([first.hits, first.next, first.found.length]).toEqual([20, 5, 4])
    expect(first.found.every(({ parts }) => parts[1] === '抜け穴')).toBe(true)
    const second = (await helpers.find(thread._id, '抜け穴', '&after=17')).body
    expect([second.next, second.found.map(({ number }) => number)]).toEqual([null, [18, 19, 20, 21]])
  })

  it('finds posts by words, phrases and -words in any spelling, in their order', async ({ guest, helpers }) => {
    const thread = await startThread(guest, { title: '巻物の整理', content: 'まずはﾏｷﾓﾉを並べる' })
    await writeTo(guest, thread, '巻物は三本')
    await writeTo(guest, thread, 'まきもの　どこ')
    await writeTo(guest, thread, '鎖帷子とマキモノ')
    const other = await startThread(guest, { title: '別の巻物', content: 'マキモノはここにも' })
    await helpers.settle()
    expect(await helpers.numbers(thread._id, 'マキモノ')).toEqual([1, 3, 4])
    expect(await helpers.numbers(thread._id, 'まきもの -鎖帷子')).toEqual([1, 3])
    expect(await helpers.numbers(thread._id, '"まきもの どこ"')).toEqual([3])
    expect(await helpers.numbers(thread._id, '整理')).toEqual([])
    expect(await helpers.numbers(other._id, 'マキモノ')).toEqual([1])
    expect((await helpers.find(thread._id, 'マキモノ')).body).toEqual({
      hits: 3,
      next: null,
      found: [
        { number: 1, parts: ['まずは', 'ﾏｷﾓﾉ', 'を並べる'] },
        { number: 3, parts: ['', 'まきもの', ' どこ'] },
        { number: 4, parts: ['鎖帷子と', 'マキモノ', ''] },
      ],
    })
  })

  it('answers at most 100 posts at a time, with the total', async ({ guest, helpers }) => {
    const thread = await startThread(guest, { title: '百物語', content: '始めよう' })
    for (let count = 0; count < 130; count += 1) await writeTo(guest, thread, `${count}話目、行灯を消す`)
    await helpers.settle()
    const first = (await helpers.find(thread._id, '行灯')).body
    expect([first.hits, first.found.length, first.next]).toEqual([130, 100, 101])
    const second = (await helpers.find(thread._id, '行灯', `&after=${first.next}`)).body
    expect([second.hits, second.found.length, second.next]).toEqual([130, 30, null])
    expect(second.found[0]!.number).toBe(102)
  })

  it('finds a new post within two seconds, although a result without it was just cached', async ({
    guest,
    helpers,
  }) => {
    const thread = await startThread(guest, { title: '見張り台', content: '異常なし' })
    expect(await helpers.numbers(thread._id, '狼煙')).toEqual([])
    await writeTo(guest, thread, '狼煙が上がった')
    await helpers.settle()
    expect(await helpers.numbers(thread._id, '狼煙')).toEqual([2])
  })

  it('is refused for too long words and for a thread that does not exist or was removed', async ({
    board,
    guest,
    helpers,
  }) => {
    const admin = await signUp(board, '城代', { isAdmin: true })
    const thread = await startThread(guest, { title: '消える城', content: '蜃気楼だった' })
    await helpers.settle()
    expect(await helpers.numbers(thread._id, '蜃気楼')).toEqual([1])
    const long = await guest.get<{ message: string }>(
      `/api/threads/${thread._id}/posts/search?search=${encodeURIComponent('長'.repeat(101))}`,
    )
    expect([long.status, long.body.message]).toEqual([400, messages.search_too_long])
    expect((await admin.delete(`/api/admin/threads/${thread._id}`)).status).toBe(200)
    expect((await helpers.find(thread._id, '蜃気楼')).status).toBe(404)
    expect((await helpers.find('018f0000-0000-7000-8000-000000000000', '蜃気楼')).status).toBe(404)
  })
})
