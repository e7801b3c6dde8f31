/** What a removal hides, and what a restoration brings back. */
import { describe, expect } from 'vitest'
import { messages } from '@shinobi/contract/messages'
import type { Post, ThreadAnswers } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { uuidv7 } from '../../lib/uuid.ts'
import { connectTo, enter, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'

const it = boardTest.extend('helpers', ({ database, board, other, guest }) => {
  async function settle(): Promise<void> {
    await board.settle()
    await other.settle()
  }
  const statusOf = async (url: string): Promise<number> => (await guest.get(url)).status
  const tallyOf = async (kind: 'threads' | 'posts'): Promise<number> => {
    const row = await database.db
      .selectFrom('tallies')
      .select((is) => is.fn.sum<string>('count').as('sum'))
      .where('kind', '=', kind)
      .executeTakeFirstOrThrow()
    return Number(row.sum)
  }
  return { settle, statusOf, tallyOf }
})
it.beforeEach(({ board, other }) => {
  board.clock.now += 30_000
  other.clock.now = board.clock.now
})

/** Every public answer that could show a thread or one of its posts, as visitors get it. */
async function look(from: Guest, thread: Thread, word: string): Promise<Record<string, unknown>> {
  const urls = [
    '/api/threads',
    '/api/threads?sort=oldest',
    '/api/threads?sort=popular',
    '/api/threads?sort=liked',
    '/api/threads?sort=speed',
    '/api/threads?sort=active',
    '/api/threads/trending',
    '/api/categories/general/threads',
    '/api/categories/general/trending',
    `/api/threads/${thread._id}`,
    `/api/threads/${thread._id}/posts`,
    `/api/threads/${thread._id}/posts?before=99&limit=10`,
    `/api/threads?search=${encodeURIComponent(word)}`,
    `/api/threads?search=${encodeURIComponent(word)}&sort=popular`,
    `/api/threads/${thread._id}/posts/search?search=${encodeURIComponent(word)}`,
    '/feed.xml',
    '/sitemaps/threads-1.xml',
  ]
  const seen: Record<string, unknown> = {}
  for (const url of urls) {
    const { status, body } = await from.get<unknown>(url)
    // The revision is not restored: it notifies clients of every change.
    const text = JSON.stringify(body).replace(/"revision":\d+/, '"revision":0')
    seen[url] = { status, text }
  }
  return seen
}

/** The addresses whose answers contain a text. */
const placesOf = (seen: Record<string, unknown>, what: string): string[] =>
  Object.entries(seen)
    .filter(([, answer]) => (answer as { text: string }).text.includes(what))
    .map(([url]) => url)

describe('a post that is removed', () => {
  it('disappears from lists, thread, search, feed and images at once, and is restored byte for byte', async ({
    board,
    guest,
    admin,
    helpers: { settle, statusOf, tallyOf },
  }) => {
    const thread = await startThread(guest, { title: '秋の夜長に', content: '虫の声がする' })
    const answer = await guest.form<Post>(`/api/threads/${thread._id}/posts`, {
      content: '鈴虫の合唱だね',
      name: '影丸',
      image: await picture(),
    })
    const post = answer.body
    await admin.post(`/api/threads/${thread._id}/posts/${post._id}/like`)
    await settle()
    board.clock.now += 2_000
    const before = await look(guest, thread, '鈴虫')
    expect(placesOf(before, '鈴虫')).toHaveLength(5)
    expect(placesOf(before, thread._id).length).toBeGreaterThan(9)
    expect(await statusOf(post.imageUrl!)).toBe(200)
    const posts = await tallyOf('posts')

    const removal = await admin.delete<{ actionId: string }>(`/api/admin/posts/${post._id}?rule=hurt`)
    expect(removal.status).toBe(200)
    await settle()
    const during = await look(guest, thread, '鈴虫')
    expect(placesOf(during, '鈴虫')).toEqual([])
    expect(placesOf(during, '影丸')).toEqual([])
    expect(placesOf(during, post.imageUrl!.slice(8, 40))).toEqual([])
    expect(placesOf(during, '"number":2,"name":null,"content":""')).toHaveLength(2)
    expect(placesOf(during, '"rule":"hurt"')).toHaveLength(2)
    expect(await statusOf(post.imageUrl!)).toBe(404)
    expect(await statusOf(post.thumbnailUrl!)).toBe(404)
    expect(await tallyOf('posts')).toBe(posts - 1)
    expect((await admin.post(`/api/threads/${thread._id}/posts/${post._id}/like`)).status).toBe(404)

    expect((await admin.post(`/api/admin/posts/${post._id}/restore`)).status).toBe(200)
    await settle()
    expect(await look(guest, thread, '鈴虫')).toEqual(before)
    expect(await statusOf(post.imageUrl!)).toBe(200)
    expect(await statusOf(post.thumbnailUrl!)).toBe(200)
    expect(await tallyOf('posts')).toBe(posts)
  })

  it('no longer counts as an answer, also in answers that were cached, until it is restored', async ({
    board,
    guest,
    admin,
    helpers: { settle },
  }) => {
    const thread = await startThread(guest, { content: '問い' })
    await writeTo(guest, thread, '>>1 一つ目')
    const second = await writeTo(guest, thread, '＞＞１、>>1-20 二つ目')
    await settle()
    const answersAfter = async () => {
      board.clock.now += 1_001
      return (await guest.get<ThreadAnswers>(`/api/threads/${thread._id}/answers`)).body
    }
    expect(await answersAfter()).toEqual({ through: 3, answers: { 1: [2, 3] } })
    await writeTo(guest, thread, '>>2 >>1 三つ目')
    expect(await answersAfter()).toEqual({ through: 4, answers: { 1: [2, 3, 4], 2: [4] } })

    await admin.delete(`/api/admin/posts/${second._id}?rule=hurt`)
    expect(await answersAfter()).toEqual({ through: 4, answers: { 1: [2, 4], 2: [4] } })
    await admin.post(`/api/admin/posts/${second._id}/restore`)
    expect((await answersAfter()).answers[1]).toEqual([2, 3, 4])
    await admin.delete(`/api/admin/threads/${thread._id}?rule=hurt`)
    expect((await guest.get(`/api/threads/${thread._id}/answers`)).status).toBe(404)
  })

  it('that opened its thread is removed with its text and picture from the lists as well', async ({
    board,
    guest,
    admin,
    helpers: { settle, statusOf },
  }) => {
    const thread = await startThread(guest, {
      title: '雨の日の過ごし方',
      content: '傘を干す\n\n　そして　茶を飲む',
      image: await picture(),
    })
    await writeTo(guest, thread, '読書かな')
    await settle()
    board.clock.now += 2_000
    const before = await look(guest, thread, '傘を干す')
    expect(placesOf(before, '傘を干す')).toContain('/api/categories/general/threads')
    const [opening] = (await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body

    await admin.delete(`/api/admin/posts/${opening!._id}?rule=law`)
    await settle()
    const during = await look(guest, thread, '傘を干す')
    expect(placesOf(during, '傘を干す')).toEqual([])
    expect(placesOf(during, thread.imageUrl!.slice(8, 40))).toEqual([])
    expect(placesOf(during, '雨の日の過ごし方')).toContain('/api/threads')
    expect(await statusOf(thread.imageUrl!)).toBe(404)

    await admin.post(`/api/admin/posts/${opening!._id}/restore`)
    await settle()
    expect(await look(guest, thread, '傘を干す')).toEqual(before)
    expect(await statusOf(thread.imageUrl!)).toBe(200)
  })

  it('that opened its thread hides the name, tripcode and account of its writer in lists as well', async ({
    board,
    guest,
    admin,
    helpers: { settle },
  }) => {
    const member = await signUp(board, '服部正成')
    const opened = [
      await startThread(guest, { title: '名乗る者', nickname: '百地三太夫#鍵' }),
      await startThread(member, { title: '会員の者' }),
    ]
    for (const [thread, marks] of [
      [opened[0]!, ['百地三太夫', `"trip":"${opened[0]!.trip}"`]],
      [opened[1]!, ['服部正成', member.userId]],
    ] as const) {
      await settle()
      board.clock.now += 2_000
      const before = await look(guest, thread, '綺麗')
      for (const mark of marks) expect(placesOf(before, mark)).toContain('/api/threads')
      const [opening] = (await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)).body

      await admin.delete(`/api/admin/posts/${opening!._id}?rule=hurt`)
      await settle()
      const during = await look(guest, thread, '綺麗')
      expect(placesOf(during, thread.title)).toContain('/feed.xml')
      for (const mark of marks) expect(placesOf(during, mark)).toEqual([])

      await admin.post(`/api/admin/posts/${opening!._id}/restore`)
      await settle()
      const after = await look(guest, thread, '綺麗')
      for (const mark of marks) expect(placesOf(after, mark)).toEqual(placesOf(before, mark))
    }
  })

  it('disappears from the cached answers of another server too', async ({
    other,
    guest,
    admin,
    helpers: { settle },
  }) => {
    const reader = visit(other)
    const thread = await startThread(guest, { title: '遠くの城下町', content: '何が見える' })
    const post = await writeTo(guest, thread, '天守閣の屋根')
    await settle()
    const before = await look(reader, thread, '天守閣')
    expect(placesOf(before, '天守閣')).toHaveLength(5)
    await admin.delete(`/api/admin/posts/${post._id}`)
    await other.deps.removalFollower.settle()
    await settle()
    expect(placesOf(await look(reader, thread, '天守閣'), '天守閣')).toEqual([])
    await admin.post(`/api/admin/posts/${post._id}/restore`)
    await other.deps.removalFollower.settle()
    await settle()
    expect(await look(reader, thread, '天守閣')).toEqual(before)
  })

  it('is announced to clients that have the thread open', async ({ board, guest, admin }) => {
    const thread = await startThread(guest)
    const post = await writeTo(guest, thread, '見えなくなる言葉')
    const socket = await connectTo(await board.listen())
    const { revision } = (await enter(socket, thread._id)) as { revision: number }
    const heard = new Promise((resolve) => socket.once('threadChanged', resolve))
    await admin.delete(`/api/admin/posts/${post._id}`)
    expect(await heard).toEqual({ threadId: thread._id, postCount: 2, revision: revision + 1 })
    socket.disconnect()
  })

  it('is announced when it is restored, once its image can be shown', async ({ board, guest, admin, helpers }) => {
    const thread = await startThread(guest)
    const { body: post } = await guest.form<Post>(`/api/threads/${thread._id}/posts`, {
      content: '月の写真',
      name: '影丸',
      image: await picture(),
    })
    await admin.delete(`/api/admin/posts/${post._id}`)
    await helpers.settle()
    const socket = await connectTo(await board.listen())
    await enter(socket, thread._id)
    const seen = new Promise((resolve) => {
      socket.once('threadChanged', () => void helpers.statusOf(post.imageUrl!).then(resolve))
    })
    expect(await helpers.statusOf(post.imageUrl!)).toBe(404)
    await admin.post(`/api/admin/posts/${post._id}/restore`)
    expect(await seen).toBe(200)
    socket.disconnect()
  })

  it('is never indexed when it is removed before the indexer has processed it', async ({
    database,
    guest,
    admin,
    helpers: { settle },
  }) => {
    const thread = await startThread(guest, { title: '急ぎの用件', content: 'まず一言' })
    const post = await writeTo(guest, thread, '早馬で届いた噂')
    await admin.delete(`/api/admin/posts/${post._id}`)
    await settle()
    const documents = await database.db
      .selectFrom('searchDocuments')
      .select('number')
      .where('threadId', '=', thread._id)
      .orderBy('number')
      .execute()
    expect(documents.map((document) => document.number)).toEqual([0, 1])
  })

  it('keeps its number, and concurrent posts get the numbers after it without gaps', async ({ guest, admin }) => {
    const thread = await startThread(guest)
    const post = await writeTo(guest, thread, '二番目')
    const answers = await Promise.all([
      ...Array.from({ length: 8 }, (_, index) => writeTo(guest, thread, `続き${index}`)),
      admin.delete(`/api/admin/posts/${post._id}`),
      admin.delete(`/api/admin/posts/${post._id}`),
    ])
    const statuses = answers.slice(-2).map((answer) => (answer as { status: number }).status)
    expect(statuses.toSorted((one, two) => one - two)).toEqual([200, 409])
    await writeTo(guest, thread, '最後')
    const { body } = await guest.get<Post[]>(`/api/threads/${thread._id}/posts`)
    expect(body.map((each) => each.number)).toEqual(Array.from({ length: 11 }, (_, index) => index + 1))
    expect(body.filter((each) => each.deleted).map((each) => each.number)).toEqual([2])
  })

  it('is looked for in the thread that is named, and in no other', async ({ guest, admin }) => {
    const [thread, another] = [await startThread(guest), await startThread(guest)]
    const post = await writeTo(guest, thread, '名指しされる')
    const at = (of: Thread, end = '') => `/api/admin/posts/${post._id}${end}?threadId=${of._id}`
    expect(await admin.delete(at(another))).toMatchObject({ status: 404, body: { message: messages.post_not_found } })
    expect((await admin.delete(at(thread))).status).toBe(200)
    expect((await admin.post(at(another, '/restore'))).status).toBe(404)
    expect((await admin.post(at(thread, '/restore'))).status).toBe(200)
  })

  it('gets 409 for a second removal and for a restoration when it is not removed, and 404 when it does not exist', async ({
    board,
    guest,
    admin,
  }) => {
    const thread = await startThread(guest)
    const post = await writeTo(guest, thread, '一度だけ')
    const restore = `/api/admin/posts/${post._id}/restore`
    expect(await admin.post(restore)).toMatchObject({ status: 409, body: { message: messages.post_not_removed } })
    await admin.delete(`/api/admin/posts/${post._id}`)
    expect(await admin.delete(`/api/admin/posts/${post._id}`)).toMatchObject({
      status: 409,
      body: { code: 'already_done', message: messages.post_already_removed },
    })
    const nowhere = uuidv7(board.clock.now)
    expect((await admin.delete(`/api/admin/posts/${nowhere}`)).status).toBe(404)
    expect((await admin.post(`/api/admin/posts/${nowhere}/restore`)).status).toBe(404)
    expect((await admin.delete(`/api/admin/posts/${post._id}?rule=mood`)).status).toBe(400)
  })

  it('is in the log with moderator, reason and rule, and in the public log with the rule alone', async ({
    board,
    guest,
    admin,
  }) => {
    const thread = await startThread(guest, { title: '記録に残る話' })
    const post = await writeTo(guest, thread, '消える言葉')
    const reason = '個人の住所を含むため'
    const { body } = await admin.delete<{ actionId: string }>(
      `/api/admin/posts/${post._id}?rule=law&reason=${encodeURIComponent(reason)}`,
    )
    const log = await admin.get<{ entries: { _id: string }[] }>('/api/admin/audit')
    expect(log.body.entries.find((entry) => entry._id === body.actionId)).toMatchObject({
      ...{ actor: '半蔵', action: 'post_remove', category: 'general', threadId: thread._id, number: 2 },
      ...{ subject: '記録に残る話', rule: 'law', reason, undone: false, undoable: true },
    })
    await board.deps.removalFollower.settle()
    const open = await guest.get<{ _id: string }[]>('/api/moderation-log')
    const entry = open.body.find((each) => each._id === body.actionId)
    expect(entry).toMatchObject({ action: 'post_remove', title: '記録に残る話', number: 2, rule: 'law' })
    expect(JSON.stringify(open.body)).not.toContain('半蔵')
    expect(JSON.stringify(open.body)).not.toContain(reason)
  })
})

describe('a moderator of one category', () => {
  it('removes and restores posts of that category, and of no other', async ({ database, board, guest }) => {
    const { body: categories } = await guest.get<{ _id: string; name: string }[]>('/api/categories')
    const world = categories.find((category) => category.name === 'world')!._id
    const moderator = await signUp(board, '佐助', { moderates: [world] })
    const mine = await startThread(guest, { category: 'world' })
    const foreign = await startThread(guest, { category: 'general' })
    const [inMine, inForeign] = [await writeTo(guest, mine, '手の内'), await writeTo(guest, foreign, '手の外')]

    expect((await moderator.delete(`/api/admin/posts/${inMine._id}`)).status).toBe(200)
    expect((await moderator.post(`/api/admin/posts/${inMine._id}/restore`)).status).toBe(200)
    const refused = await Promise.all([
      moderator.delete(`/api/admin/posts/${inForeign._id}`),
      moderator.post(`/api/admin/posts/${inForeign._id}/restore`),
      moderator.delete(`/api/admin/threads/${foreign._id}`),
      moderator.post(`/api/admin/threads/${foreign._id}/restore`),
      moderator.put(`/api/admin/threads/${foreign._id}`, { locked: true }),
      moderator.put(`/api/admin/threads/${foreign._id}`, { categoryId: world }),
      moderator.put(`/api/admin/threads/${mine._id}`, { categoryId: foreign.categoryId }),
    ])
    expect(refused.map((answer) => answer.status)).toEqual(Array.from({ length: 7 }, () => 403))
    const entries = await database.db.selectFrom('auditLog').select('id').where('threadId', '=', foreign._id).execute()
    expect(entries).toEqual([])
    const { body } = await guest.get<Post[]>(`/api/threads/${foreign._id}/posts`)
    expect(body.map((post) => post.deleted)).toEqual([false, false])
  })
})
