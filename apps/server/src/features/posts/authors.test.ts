/**
 * Removal of all posts of one writer; and how other servers and the next sweep process a removal.
 */
import { describe, expect } from 'vitest'
import type { Post } from '@shinobi/contract/posts'
import { inTransaction } from '../../db/transaction.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { signUp, startThread, visit, writeTo } from '../../testing/board.ts'
import { boardTest } from '../../testing/fixtures.ts'
import { picture } from '../../testing/outside/picture.ts'
import { caseOf, reportTimes } from '../../testing/reporting.ts'
import { insertAudit, type NewAuditEntry } from '../audit/audit.queries.ts'
import { selectStandingPosts } from '../moderation/follow-removals.queries.ts'
import { removeUntilUndone } from '../moderation/remove-until-undone.ts'
import { removePostsInSteps, restorePostsInSteps } from './removals.service.ts'
import { findPostsOfWriter, selectRemovedAt, selectWriter } from './authors.queries.ts'

const it = boardTest.extend('helpers', ({ board, other, guest }) => {
  async function settle(): Promise<void> {
    await board.settle()
    await other.settle()
  }
  const statusOf = async (url: string): Promise<number> => (await guest.get(url)).status
  return { settle, statusOf }
})
it.beforeEach(({ board, other }) => {
  board.clock.now += 30_000
  other.clock.now = board.clock.now
})

describe('the posts of one writer', () => {
  it('are found by browser through names and through threads without one, and by account through rooms, within the scope only', async ({
    database,
    board,
    admin,
  }) => {
    const writer = visit(board, '198.51.100.4')
    const bystander = visit(board, '198.51.100.5')
    const nameless = await startThread(writer, { title: '無名の一歩', content: '名を伏せて' })
    const thread = await startThread(bystander, { title: '別の人の話', category: 'world' })
    await writeTo(bystander, thread, '私は別人', '別人')
    const first = await writeTo(writer, thread, '荒らし一', '乱太')
    const gone = await writeTo(writer, thread, '荒らし二', '乱太二号')
    await admin.delete(`/api/admin/posts/${gone._id}`)
    await writeTo(bystander, nameless, '返事', '別人')
    const unsigned = await startThread(bystander, { title: '名乗らぬ客' })
    const answer = await writeTo(writer, unsigned, '荒らし三', '名無し')
    const tripped = await startThread(bystander, { title: '鍵のある客' })
    const keyed = await writeTo(writer, tripped, '荒らし四', '乱太#鍵')

    const target = { threadId: thread._id, postId: first._id }
    const found = (await selectWriter(database.db, target))!
    expect(found.userId).toBeNull()
    const names = new Map([
      ...([
        [first._id, 'first'],
        [nameless._id, 'opening'],
        [answer._id, 'unsigned'],
        [keyed._id, 'keyed'],
      ] as const),
    ])
    const numbers = async (scope: 'all' | string[], since = 0) =>
      (await findPostsOfWriter(database.db, found, scope, { since })).map(
        ({ threadId, postId }) => names.get(threadId === nameless._id ? threadId : postId) ?? 'other',
      )
    expect((await numbers('all')).toSorted()).toEqual(['first', 'keyed', 'opening', 'unsigned'])
    expect(await numbers([thread.categoryId])).toEqual(['first'])
    expect(await numbers('all', board.clock.now + 60_000)).toEqual([])

    const member = await signUp(board)
    const theirs = await writeTo(member, thread, '会員の一言')
    const account = (await selectWriter(database.db, { threadId: thread._id, postId: theirs._id }))!
    expect(account).toEqual({ userId: member.userId, visitorId: null })
    expect(await findPostsOfWriter(database.db, account, 'all')).toEqual([{ threadId: thread._id, postId: theirs._id }])
  })

  it('are removed in steps while others post, and are restored', async ({ database, board, guest }) => {
    const writer = visit(board, '198.51.100.6')
    const thread = await startThread(writer, { title: '連投の跡' })
    const mark = await writeTo(writer, thread, '目印', '連投')
    const { visitorId } = await database.db
      .selectFrom('posts')
      .select('visitorId')
      .where('id', '=', mark._id)
      .executeTakeFirstOrThrow()
    const others = await startThread(guest, { title: '静かな部屋' })
    for (let index = 0; index < 449; index += 1) {
      void board.deps.postWriter.write({
        ...{ threadId: thread._id, id: uuidv7(board.clock.now), name: '連投', content: `連投${index}`, image: null },
        ...{ userId: null, visitorId: visitorId!, clientPostId: null },
      })
    }
    await board.settle()
    const target = { threadId: thread._id, postId: mark._id }
    const targets = await findPostsOfWriter(database.db, (await selectWriter(database.db, target))!, 'all')
    expect(targets).toHaveLength(451)

    const { deps } = board
    const at = new Date(board.clock.now)
    const [count, ...written] = await Promise.all([
      removePostsInSteps(deps, targets, 'disturb', at),
      ...Array.from({ length: 5 }, (_, index) => writeTo(guest, others, `横から${index}`)),
      ...Array.from({ length: 5 }, (_, index) => writeTo(guest, thread, `同じ部屋から${index}`)),
    ])
    expect(count).toBe(451)
    expect(written).toHaveLength(10)
    const find = () => findPostsOfWriter(database.db, { userId: null, visitorId: visitorId! }, 'all')
    expect(await find()).toEqual([])
    expect(await removePostsInSteps(deps, targets, 'disturb', at)).toBe(0)
    expect(await restorePostsInSteps(deps, targets)).toBe(451)
    expect(await find()).toHaveLength(451)
  })

  it('disappear from the cached answers of another server as well, in lists and threads', async ({
    board,
    other,
    guest,
    admin,
    helpers: { settle },
  }) => {
    const writer = visit(board, '198.51.100.7')
    const reader = visit(other)
    const threads = [
      await startThread(writer, { title: '散らし書き一', content: '撒菱一' }),
      await startThread(writer, { title: '散らし書き二', content: '撒菱二', category: 'world' }),
    ]
    await settle()
    const lists = ['/api/threads', '/api/categories/general/threads', '/api/categories/world/threads']
    const urls = [...lists, ...threads.map((thread) => `/api/threads/${thread._id}/posts`)]
    const showing = async () => {
      const texts = await Promise.all(urls.map(async (url) => JSON.stringify((await reader.get(url)).body)))
      return urls.filter((_, index) => texts[index]!.includes('撒菱'))
    }
    expect(await showing()).toEqual(urls)
    await other.deps.removalFollower.settle()

    const [opening] = (await guest.get<Post[]>(`/api/threads/${threads[0]!._id}/posts`)).body
    await guest.post(`/api/threads/${threads[0]!._id}/posts/${opening!._id}/report`, { reason: '荒らし', content: '' })
    const decision = { action: 'remove_all', rule: 'disturb' }
    const url = `/api/admin/cases/${threads[0]!._id}/${opening!._id}/decision`
    const decided = await admin.post<{ actionId: string; removed: number }>(url, decision)
    expect(decided.body.removed).toBe(2)
    await other.deps.removalFollower.settle()
    expect(await showing()).toEqual([])

    expect((await admin.post(`/api/admin/actions/${decided.body.actionId}/undo`)).status).toBe(200)
    await other.deps.removalFollower.settle()
    expect(await showing()).toEqual(urls)
  })

  it('disappear from there even when the log entry was read before the last step removed them', async ({
    database,
    board,
    other,
  }) => {
    const writer = visit(board, '198.51.100.8')
    const reader = visit(other)
    const thread = await startThread(writer, { title: '長い後始末', content: '煙玉' })
    const post = await writeTo(writer, thread, '煙玉をもう一つ')
    const showing = async () =>
      JSON.stringify((await reader.get(`/api/threads/${thread._id}/posts`)).body).split('煙玉').length - 1
    const at = new Date(board.clock.now)
    const details = { posts: { [thread._id]: [1, 2] } }
    await insertAudit(database.db, { actor: null, at, action: 'posts_remove', details })
    await other.deps.removalFollower.settle()
    expect(await showing()).toBe(2)
    await removePostsInSteps(board.deps, [{ threadId: thread._id, postId: post._id }], 'disturb', at)
    await other.deps.removalFollower.settle()
    expect(await showing()).toBe(1)
  })
})

describe('after a crash between a commit and its follow-up work', () => {
  it('the next sweep hides and shows images, and repairs the index, according to the log', async ({
    database,
    board,
    guest,
    helpers: { settle, statusOf },
  }) => {
    const thread = await startThread(guest, { title: '停電の夜', content: '灯りが消えた' })
    const { body: post } = await guest.form<Post>(`/api/threads/${thread._id}/posts`, {
      content: '蝋燭を探す',
      name: '影',
      image: await picture(),
    })
    await settle()
    const at = new Date(board.clock.now)
    const ofPost = { actor: null, at, threadId: thread._id, postId: post._id, number: 2 } as const
    const set = (deletedAt: Date | null, action: 'post_remove' | 'post_restore') =>
      inTransaction(database.db, async (tx) => {
        await tx.updateTable('posts').set({ deletedAt }).where('id', '=', post._id).execute()
        await insertAudit(tx, { ...ofPost, action })
      })
    const isIndexed = async () =>
      (await database.db
        .selectFrom('searchDocuments')
        .select('number')
        .where('threadId', '=', thread._id)
        .where('number', '=', 2)
        .executeTakeFirst()) !== undefined

    // The poller of the log is stopped, as on a server that was down.
    await board.deps.removalFollower.close()
    await set(at, 'post_remove')
    expect(await statusOf(post.imageUrl!)).toBe(200)
    await board.deps.removalFollower.sweep(board.clock.now)
    await settle()
    expect(await statusOf(post.imageUrl!)).toBe(404)
    expect(await isIndexed()).toBe(false)

    await set(null, 'post_restore')
    await board.deps.removalFollower.sweep(board.clock.now)
    await settle()
    expect(await statusOf(post.imageUrl!)).toBe(200)
    expect(await isIndexed()).toBe(true)
  })

  it('the next sweep finishes a removal of many posts, but for those that were restored since', async ({
    database,
    board,
    guest,
    admin,
  }) => {
    const thread = await startThread(guest, { title: '途中で止まった' })
    const posts = [2, 3, 4].map((number) => writeTo(guest, thread, `荒らし${number}`))
    const [post, , last] = await Promise.all(posts)
    await reportTimes(board, last!, 1)
    const at = new Date(board.clock.now)
    const place = { actor: null, threadId: thread._id, postId: post!._id } as const
    const details = { posts: { [thread._id]: [2, 3, 4] }, count: 3 }
    const log = (entry: Pick<NewAuditEntry, 'action' | 'at' | 'number' | 'rule' | 'details'>) =>
      inTransaction(database.db, (tx) => insertAudit(tx, { ...place, ...entry }))
    const id = await log({ at, number: 2, action: 'posts_remove', rule: 'disturb', details })
    board.clock.now += 30_000
    await log({ at: new Date(board.clock.now), number: 3, action: 'post_restore' })
    const removed = async () =>
      (await guest.get<Post[]>(`/api/threads/${thread._id}/posts?`)).body.filter(({ deleted }) => deleted)
    await board.deps.removalFollower.sweep(board.clock.now)
    expect((await removed()).map(({ number, rule }) => [number, rule])).toEqual([
      [2, 'disturb'],
      [4, 'disturb'],
    ])
    // As if the removal had done it itself.
    expect(await caseOf(admin, last!)).toMatchObject({ status: 'closed', decision: 'remove_all', actionId: id })
    expect(await selectRemovedAt(database.db, details.posts, at)).toHaveLength(2)
    await restorePostsInSteps(board.deps, await selectRemovedAt(database.db, details.posts, at))
    await inTransaction(database.db, (tx) =>
      insertAudit(tx, { ...place, at, number: 2, action: 'posts_restore', undoes: id }),
    )
    await board.deps.removalFollower.sweep(board.clock.now)
    expect(await removed()).toEqual([])
  })

  it('the next sweep finishes the undo of a removal of many posts, but for those removed again since', async ({
    database,
    board,
    guest,
  }) => {
    const thread = await startThread(guest, { title: '取り消しの途中' })
    const [post] = await Promise.all([2, 3, 4].map((number) => writeTo(guest, thread, `無実${number}`)))
    const at = new Date(board.clock.now)
    const place = { actor: null, threadId: thread._id, postId: post!._id, number: 2, rule: 'disturb' } as const
    const posts = { [thread._id]: [2, 3, 4] }
    const targets = await selectStandingPosts(
      database.db,
      [2, 3, 4].map((number) => ({ threadId: thread._id, number })),
    )
    await removePostsInSteps(board.deps, targets, 'disturb', at)
    const undoes = await inTransaction(database.db, (tx) =>
      insertAudit(tx, { ...place, at, action: 'posts_remove', details: { posts, count: 3 } }),
    )
    board.clock.now += 30_000
    await inTransaction(database.db, (tx) =>
      insertAudit(tx, { ...place, at: new Date(board.clock.now), action: 'posts_restore', undoes }),
    )
    const again = targets.filter(({ number }) => number === 4)
    await restorePostsInSteps(board.deps, again)
    await removePostsInSteps(board.deps, again, 'improper', new Date(board.clock.now))
    board.clock.now += 30_000
    await board.deps.removalFollower.sweep(board.clock.now)
    const shown = (await guest.get<Post[]>(`/api/threads/${thread._id}/posts?`)).body
    expect(shown.filter(({ deleted }) => deleted).map(({ number }) => number)).toEqual([4])
    // A step of the removal that comes after the undo removes nothing any more.
    const closing = { decision: 'remove_all', by: null, actionId: undoes, at }
    expect(await removeUntilUndone(board.deps, targets.slice(0, 2), 'disturb', closing)).toBe(0)
    const left = await selectStandingPosts(database.db, targets)
    expect(left.map(({ number }) => number)).toEqual([2, 3])
  })
})
