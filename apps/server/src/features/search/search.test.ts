import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ThreadItem } from '@shinobi/contract/threads'
import { messages } from '@shinobi/contract/messages'
import { uuidv7Floor } from '../../lib/uuid.ts'
import { openBoard, startThread, visit, writeTo, type Board, type Guest } from '../../testing/board.ts'

describe('search', () => {
  let board: Board
  let guest: Guest
  beforeAll(async () => {
    board = await openBoard({ SPAM_POSTS: '100000' })
    guest = visit(board)
    const minutes = async (title: string, content: string, replies: string[] = [], category = 'general') => {
      board.clock.now += 60_000
      const thread = await startThread(guest, { title, content, category })
      for (const reply of replies) await writeTo(guest, thread, reply)
    }
    await minutes('首相の会見について', 'どう思う？', ['草', 'ﾃｽﾄ勢です'])
    await minutes('しゅいろの花が咲いた', '朱色とは違うのか', ['パニックになった'], 'world')
    await minutes('ＡＩと忍術', 'AIの書く巻物', ['ヴァイオリンも弾ける', '京都でラーメンを食べた'])
    await minutes('大阪のラーメン', '京橋の店がうまい', ['それな', '100%の確率_です'])
    await minutes('(株)の話', '㈱と書くか', ['① 番目'])
    await board.settle()
  })
  afterAll(() => board.close())

  async function find(search: string, more = ''): Promise<string[]> {
    const answer = await guest.get<ThreadItem[]>(`/api/threads?search=${encodeURIComponent(search)}${more}`)
    expect(answer.status).toBe(200)
    return answer.body.map((thread) => thread.title)
  }

  it.each([
    ['首相', ['首相の会見について']],
    ['首', ['首相の会見について']],
    ['草', ['首相の会見について']],
    ['ﾃｽﾄ', ['首相の会見について']],
    ['テスト', ['首相の会見について']],
    ['てすと', ['首相の会見について']],
    ['しゅいろ', ['しゅいろの花が咲いた']],
    ['シュイロ', ['しゅいろの花が咲いた']],
    ['ﾊﾟﾆｯｸ', ['しゅいろの花が咲いた']],
    ['ぱにっく', ['しゅいろの花が咲いた']],
    ['ai', ['ＡＩと忍術']],
    ['ＡＩ', ['ＡＩと忍術']],
    ['ゔぁいおりん', ['ＡＩと忍術']],
    ['ラーメン', ['大阪のラーメン', 'ＡＩと忍術']],
    ['京都　ラーメン', ['ＡＩと忍術']],
    ['大阪 京橋', ['大阪のラーメン']],
    ['ラーメン -大阪', ['ＡＩと忍術']],
    ['"京都でラーメン"', ['ＡＩと忍術']],
    ['「ラーメンを食べた」', ['ＡＩと忍術']],
    ['”京都でラーメン”', ['ＡＩと忍術']],
    ['＂1 番＂', ['(株)の話']],
    ['“番 1”', []],
    ['ラーメン　－大阪', ['ＡＩと忍術']],
    ['ラーメン ‐大阪', ['ＡＩと忍術']],
    ['ラーメン −”大阪のラーメン”', ['ＡＩと忍術']],
    ['ラー麺', []],
    ['100%', ['大阪のラーメン']],
    ['_', ['大阪のラーメン']],
    ["'; drop table posts; --", []],
    ['株', ['(株)の話']],
    ['1 番', ['(株)の話']],
  ])('for %s finds %j', async (search, titles) => {
    expect(await find(search)).toEqual(titles)
  })

  it('applies the category and the order of the list', async () => {
    const found = await guest.get<ThreadItem[]>(`/api/categories/world/threads?search=${encodeURIComponent('の')}`)
    expect(found.body.map((thread) => thread.title)).toEqual(['しゅいろの花が咲いた'])
    expect(await find('ラーメン', '&sort=oldest')).toEqual(['ＡＩと忍術', '大阪のラーメン'])
    expect(await find('ラーメン', '&sort=popular')).toEqual(['大阪のラーメン', 'ＡＩと忍術'])
    expect(await find('ラーメン', '&sort=liked')).toEqual(['大阪のラーメン', 'ＡＩと忍術'])
    expect(await find('ラーメン', '&sort=speed')).toEqual(['大阪のラーメン', 'ＡＩと忍術'])
    expect(await find('ラーメン', '&sort=active')).toEqual(['大阪のラーメン', 'ＡＩと忍術'])
  })

  it('pages through all hits', async () => {
    const first = await guest.get<ThreadItem[]>(`/api/threads?limit=1&search=${encodeURIComponent('ラーメン')}`)
    const next = /<([^>]+)>; rel="next"/.exec(first.headers['link'] ?? '')![1]!
    const second = await guest.get<ThreadItem[]>(next)
    expect([...first.body, ...second.body].map((thread) => thread.title)).toEqual(['大阪のラーメン', 'ＡＩと忍術'])
    expect(second.headers['link']).toBeUndefined()
  })

  it('of only spaces shows the whole list, and of excluded words alone is refused with its message', async () => {
    expect(await find('　')).toHaveLength(5)
    for (const search of ['-ラーメン', '－「大阪」 -草']) {
      const answer = await guest.get<{ message: string }>(`/api/threads?search=${encodeURIComponent(search)}`)
      expect([answer.status, answer.body.message]).toEqual([400, messages.search_only_excludes])
    }
  })

  it('finds a new post within two seconds, although a result without it was just cached', async () => {
    const guestOfNight = visit(board)
    const thread = await startThread(guestOfNight, { title: '夜更けの独り言', content: 'まだ静か' })
    expect(await find('梟が鳴いた')).toEqual([])
    await writeTo(guestOfNight, thread, '遠くで梟が鳴いた')
    await board.settle()
    board.clock.now += 1_000
    expect(await find('梟が鳴いた')).toEqual(['夜更けの独り言'])
  })

  it('of more than 100 characters is refused with its message', async () => {
    const answer = await guest.get<{ message: string }>(`/api/threads?search=${encodeURIComponent('長'.repeat(101))}`)
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe(messages.search_too_long)
  })

  it.for(['search=a&search=b', 'search=a&name=b&name=c'])(
    'that says twice what it looks for is not called too long: %s',
    async (query) => {
      const answer = await guest.get(`/api/threads?${query}`)
      expect(answer).toMatchObject({ status: 400, body: { code: 'bad_search', message: messages.bad_request } })
    },
  )

  it('of more than five words, excluded ones included, is refused with its message', async () => {
    const refused = { status: 400, body: { code: 'bad_search', message: messages.search_too_many_words } }
    for (const words of ['猫 犬 鳥 魚 馬 -虐待', '猫　犬　鳥　魚　馬　亀']) {
      expect(await guest.get(`/api/threads?search=${encodeURIComponent(words)}`)).toMatchObject(refused)
    }
    expect(await find('首相 首相 首相 首相 首相 -ラーメン')).toEqual(['首相の会見について'])
  })

  it('finds texts that a crash has left unindexed after the next sweep', async () => {
    await board.database.db.deleteFrom('searchDocuments').execute()
    board.deps.cache.clear()
    expect(await find('首相')).toEqual([])
    await board.database.db.deleteFrom('settings').execute()
    await board.deps.search.sweep(board.clock.now)
    board.clock.now += 1_000
    expect(await find('首相')).toEqual(['首相の会見について'])
    expect(await find('草')).toEqual(['首相の会見について'])
  })

  it('excludes threads by common words and by rare ones', async () => {
    const talk = await startThread(guest, { title: '夜話の間', content: '夜話をしよう' })
    for (let count = 0; count < 220; count += 1) await writeTo(guest, talk, `そうだね ${count}`)
    const quiet = await startThread(guest, { title: '夜話の隅', content: '夜話を聞く' })
    await board.settle()
    expect(await find('夜話')).toEqual([quiet.title, talk.title])
    for (const excluded of ['そうだね', '"そうだね 7"', '219']) {
      expect([excluded, await find(`夜話 -${excluded}`)]).toEqual([excluded, [quiet.title]])
    }
    expect(await find('夜話 -無い言葉 -"これも 無い"')).toEqual([quiet.title, talk.title])
    expect(await find('夜話 -聞く', '&sort=popular')).toEqual([talk.title])
    expect(await find('夜話 -夜話')).toEqual([])
  })

  it.for(['newest', 'oldest'])('finds threads of all ages, page by page, %s first', async (sort) => {
    const opened: string[] = []
    for (const age of ['一', '二', '三', '四', '五', '六']) {
      // As the indexer does when a thousand threads follow.
      board.clock.now += 60_000
      const { bucket } = await board.deps.db
        .selectFrom('searchBuckets')
        .select((select) => select.fn.max('bucket').as('bucket'))
        .executeTakeFirstOrThrow()
      const next = { bucket: bucket + 1, firstThreadId: uuidv7Floor(board.clock.now) }
      await board.deps.db.insertInto('searchBuckets').values(next).execute()
      for (const half of ['上', '下']) {
        const { title } = await startThread(guest, { title: `${sort}の古文書 ${age}${half}`, content: '解読中' })
        opened.push(title)
      }
    }
    await board.settle()
    const found: string[] = []
    let page: string | undefined = `/api/threads?limit=5&sort=${sort}&search=${encodeURIComponent(`${sort} 解読`)}`
    while (page !== undefined) {
      const answer: { body: ThreadItem[]; headers: Record<string, string | undefined> } = await guest.get(page)
      found.push(...answer.body.map((thread) => thread.title))
      page = /<([^>]+)>; rel="next"/.exec(answer.headers['link'] ?? '')?.[1]
    }
    expect(found).toEqual(sort === 'newest' ? opened.toReversed() : opened)
  })
})
