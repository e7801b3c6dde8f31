import { describe, expect } from 'vitest'
import type { ErrorAnswer } from '@shinobi/contract/errors'
import { messages } from '@shinobi/contract/messages'
import type { ModerationCase } from '@shinobi/contract/moderation'
import type { Post } from '@shinobi/contract/posts'
import { openBoard, signUp, startThread, visit, writeTo, type Guest } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { caseOf, caseUrl, decide, readPost, reportAs, reportTimes } from '../../testing/reporting.ts'

type Page = { cases: ModerationCase[]; next: string | null } & ErrorAnswer

const it = boardTest
  .extend('thread', ({ board }) => startThread(visit(board), { title: '荒れているスレッド' }))
  .extend('helpers', ({ board, thread }) => {
    const entries = () =>
      board.database.db.selectFrom('auditLog').selectAll().where('threadId', '=', thread._id).orderBy('id').execute()
    /** Writes a post, and reports it. */
    async function reported(content = '荒らしの書き込み', writer: Guest = visit(board)): Promise<Post> {
      const post = await writeTo(writer, thread, content, `荒らし${(names += 1)}`)
      await reportTimes(board, post, 1)
      return post
    }
    return { entries, reported }
  })

const list = async (who: Guest, query = ''): Promise<Page> => (await who.get<Page>(`/api/admin/cases${query}`)).body
let names = 0

describe('a case', () => {
  it('shows the post with the two before and the two after it, its reports, and nothing that identifies a browser', async ({
    board,
    moderator,
    thread,
  }) => {
    const vandal = visit(board)
    const posts = []
    for (const name of ['荒らし甲', '荒らし乙', '荒らし丙', '荒らし丁', '荒らし戊', '荒らし己']) {
      posts.push(await writeTo(name.endsWith('乙') ? visit(board) : vandal, thread, `${name}の書き込み`, name))
    }
    const post = posts[3]!
    const witness = await signUp(board, '目撃した人')
    await reportAs(witness, post, '脅している')
    await reportTimes(board, post, 1)
    const shown = await caseOf(moderator, post)
    expect(shown.thread).toEqual({
      ...{ _id: thread._id, title: '荒れているスレッド', category: 'general', categoryId: thread.categoryId },
      ...{ locked: false, removed: false, summary: null },
    })
    expect(shown.context.map(({ number }) => number)).toEqual([3, 4, 6, 7])
    expect(shown.reports).toMatchObject([
      { reason: '脅している', seen: '見た文', reporter: { handle: '目撃した人', isMember: true, muted: false } },
      {
        reason: '荒らしです',
        reporter: { isMember: false, handle: expect.stringMatching(/^訪問者 [0-9A-F-]{7}$/) as string },
      },
    ])
    // Posts of one writer under several names have the same token; in another thread the token
    // differs.
    const [second, , , sixth] = shown.context
    expect(sixth!.writer).toBe(shown.post.writer)
    expect(second!.writer).not.toBe(shown.post.writer)
    const elsewhere = await startThread(visit(board))
    const other = await writeTo(vandal, elsewhere, 'よそでも', '荒らし庚')
    await reportTimes(board, other, 1)
    expect((await caseOf(moderator, other)).post.writer).not.toBe(shown.post.writer)
    const ids = await board.database.db
      .selectFrom('posts')
      .select('visitorId')
      .where('threadId', '=', thread._id)
      .execute()
    for (const { visitorId } of ids) expect(JSON.stringify(shown)).not.toContain(visitorId!)
  })

  it('shows the text of a removed post, to moderators only', async ({ board, moderator, helpers: { reported } }) => {
    const post = await reported('消される書き込み')
    const { body } = await decide(moderator, post, { action: 'remove', rule: 'hurt' })
    expect(body).toMatchObject({
      removed: 1,
      case: {
        ...{ status: 'closed', decision: 'remove', decidedBy: '見回り組', actionId: body.actionId },
        post: { deleted: true, rule: 'hurt', content: '消される書き込み', imageUrl: null },
      },
    })
    expect(await readPost(board, post)).toMatchObject({ deleted: true, content: '', name: null, rule: 'hurt' })
  })

  it("shows the outcomes of a reporter's earlier reports", async ({ board, moderator, thread }) => {
    const witness = await signUp(board)
    for (const decision of [{ action: 'dismiss' }, { action: 'dismiss' }, { action: 'remove', rule: 'law' }]) {
      const post = await writeTo(visit(board), thread, '書き込み', `名${(names += 1)}`)
      await reportAs(witness, post)
      await decide(moderator, post, decision)
    }
    const post = await writeTo(visit(board), thread, '書き込み', `名${(names += 1)}`)
    await reportAs(witness, post)
    expect((await caseOf(moderator, post)).reports[0]!.reporter).toMatchObject({ upheld: 1, dismissed: 2 })
  })

  it('keeps a note for the other moderators, with its history in the log', async ({
    moderator,
    helpers: { entries, reported },
  }) => {
    const post = await reported()
    const url = `${caseUrl(post)}/note`
    expect((await moderator.put(url, { note: '様子を見る' })).status).toBe(200)
    expect((await moderator.put(url, { note: '様子を見る' })).status).toBe(200)
    expect(await caseOf(moderator, post)).toMatchObject({ note: '様子を見る', status: 'open' })
    expect(await entries()).toMatchObject([
      { action: 'case_note', isPublic: false, details: { before: { note: '' }, after: { note: '様子を見る' } } },
    ])
  })
})

describe('the queue', () => {
  it('lists the most reported cases first or the oldest first, and closed ones newest first, page by page without gaps', async () => {
    const own = await openBoard({ SPAM_POSTS: '10000' })
    const chief = await signUp(own, '見回り組', { moderates: 'all' })
    const place = await startThread(visit(own))
    const posts: Post[] = []
    for (const [index, count] of [1, 2, 1, 2, 1].entries()) {
      own.clock.now += 1_000
      const post = await writeTo(visit(own), place, `書き込み${index}`, `書き手${index}`)
      await reportTimes(own, post, count)
      posts.push(post)
    }
    const walk = async (query: string): Promise<number[]> => {
      const found: number[] = []
      let cursor = ''
      for (;;) {
        const page = await list(chief, `?limit=2${query}${cursor}`)
        found.push(...page.cases.map(({ post }) => posts.findIndex(({ _id }) => _id === post._id)))
        if (page.next === null) return found
        cursor = `&cursor=${encodeURIComponent(page.next)}`
      }
    }
    expect(await walk('')).toEqual([1, 3, 0, 2, 4])
    expect(await walk('&sort=oldest')).toEqual([0, 1, 2, 3, 4])
    for (const index of [3, 0, 4]) {
      own.clock.now += 1_000
      await decide(chief, posts[index]!, { action: 'dismiss' })
    }
    expect(await walk('')).toEqual([1, 2])
    expect(await walk('&status=closed')).toEqual([4, 0, 3])
    expect((await chief.get('/api/admin/queue')).body).toEqual({ cases: 2, held: 0, news: 0 })
    const { next } = await list(chief, '?limit=1')
    for (const cursor of [next!, 'x', 'c0.1.nobody', '']) {
      const { code } = await list(chief, `?status=closed&cursor=${encodeURIComponent(cursor)}`)
      expect(code).toBe('bad_cursor')
    }
    await own.close()
  })

  it('needs as many database queries for many cases as for one', async () => {
    const own = await openBoard({ SPAM_POSTS: '10000' })
    const chief = await signUp(own, '見回り組', { moderates: 'all' })
    const place = await startThread(visit(own))
    const count = async (): Promise<number> => {
      await own.settle()
      const before = queries
      await list(chief, '?limit=50')
      return queries - before
    }
    let queries = 0
    const { db } = own.database
    const executor = db.getExecutor()
    const original = executor.executeQuery.bind(executor)
    executor.executeQuery = (query) => {
      // Queries of other parts of the server are not counted.
      if (/cases|reports|place/.test(query.sql)) queries += 1
      return original(query)
    }
    const one = await writeTo(visit(own), place, '書き込み', '書き手')
    await reportTimes(own, one, 2)
    const few = await count()
    for (let index = 0; index < 20; index += 1) {
      await reportTimes(own, await writeTo(visit(own), place, '書き込み', `書き手${index}`), 2)
    }
    expect(few).toBe(4)
    expect(await count()).toBe(few)
    await own.close()
  })

  it('omits the cases of a removed thread until it is restored', async ({
    moderator,
    thread,
    helpers: { reported },
  }) => {
    const post = await reported()
    const waiting = async () => (await list(moderator, '?sort=oldest&limit=50')).cases.map((one) => one.post._id)
    expect(await waiting()).toContain(post._id)
    await moderator.delete(`/api/admin/threads/${thread._id}`)
    expect(await waiting()).not.toContain(post._id)
    await moderator.post(`/api/admin/threads/${thread._id}/restore`)
    expect(await waiting()).toContain(post._id)
  })
})

describe('a moderator of some categories', () => {
  it('sees and decides only cases in these categories', async ({ board, helpers: { reported } }) => {
    const rant = await startThread(visit(board), { category: 'rant' })
    const local = await signUp(board, undefined, { moderates: [rant.categoryId] })
    const [mine, foreign] = [await writeTo(visit(board), rant, '愚痴', 'ぐちの主'), await reported()]
    await reportTimes(board, mine, 1)
    expect((await list(local)).cases.map(({ post }) => post._id)).toEqual([mine._id])
    expect((await local.get('/api/admin/queue')).body).toEqual({ cases: 1, held: 0, news: 0 })
    for (const answer of [
      await local.get(caseUrl(foreign)),
      await decide(local, foreign, { action: 'dismiss' }),
      await local.put(`${caseUrl(foreign)}/note`, { note: 'のぞき見' }),
    ]) {
      expect([answer.status, answer.body]).toEqual([403, { code: 'forbidden', message: messages.out_of_scope }])
    }
    expect((await decide(local, mine, { action: 'dismiss' })).status).toBe(200)
  })

  it('removes all posts of a writer in these categories only', async ({ board, thread }) => {
    const rant = await startThread(visit(board), { category: 'rant' })
    const local = await signUp(board, undefined, { moderates: [rant.categoryId] })
    const vandal = visit(board)
    const [mine, foreign] = [
      await writeTo(vandal, rant, '愚痴', '荒らしの顔'),
      await writeTo(vandal, thread, 'よそ', '荒らしの顔'),
    ]
    await reportTimes(board, mine, 1)
    expect((await decide(local, mine, { action: 'remove_all', rule: 'law' })).body.removed).toBe(1)
    expect(await readPost(board, foreign)).toMatchObject({ deleted: false })
  })
})

it('members and visitors are refused every case', async ({ board, helpers: { reported } }) => {
  const post = await reported()
  for (const [who, status] of [
    [visit(board), 401],
    [await signUp(board), 403],
  ] as const) {
    expect((await who.get('/api/admin/cases')).status).toBe(status)
    expect((await who.get('/api/admin/queue')).status).toBe(status)
    expect((await who.get(caseUrl(post))).status).toBe(status)
    expect((await decide(who, post, { action: 'dismiss' })).status).toBe(status)
  }
})
