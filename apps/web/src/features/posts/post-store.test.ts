import type { Post } from '@shinobi/contract/posts'
import { expect, test, vi } from 'vitest'
import { makePost, makePosts } from './post-fixtures.ts'
import { PostStore, type PostQuery, type PostWindow } from './post-store.ts'

/** A server of `total` posts and a page with posts `from`..`to`. */
function setUp({ from = 1, to = 3, total = 3 }: { from?: number; to?: number; total?: number } = {}) {
  const server: Post[] = makePosts(1, total)
  let window: PostWindow = { start: from - 1, posts: makePosts(from, to) }
  const write = vi.fn((next: PostWindow) => {
    window = next
  })
  const fetchPosts = vi.fn(async ({ after, before, limit }: PostQuery): Promise<Post[]> => {
    if (before !== undefined) return server.slice(0, before - 1).slice(-limit)
    return server.slice(after ?? 0, (after ?? 0) + limit)
  })
  const store = new PostStore(
    {
      read: () => window,
      write,
      fetchPosts,
      fetchPosition: async () => ({ postCount: server.length, revision: server.length }),
      wait: async () => {},
      onPost: () => {},
      onPosition: () => {},
    },
    { postCount: total, revision: total },
  )
  return {
    server,
    store,
    fetchPosts,
    write,
    numbers: () => window.posts.map((post) => post.number),
    read: () => window,
  }
}

const until = (condition: () => boolean) => expect.poll(() => condition()).toBe(true)

test('after sleep all missed posts are fetched by number, in as many requests as needed', async () => {
  const { server, store, numbers, fetchPosts } = setUp()
  server.push(...makePosts(4, 250))
  store.learn({ postCount: 250, revision: 250 })
  await until(() => numbers().length === 250)
  expect(fetchPosts.mock.calls.map(([query]) => query.after)).toEqual([3, 103, 203])
})

test('the first post is shown at once, and those that arrive right after it together', async () => {
  const { store, numbers, write } = setUp()
  for (const post of makePosts(4, 203)) store.hear(post, { threadId: post.threadId, postCount: 203, revision: 203 })
  expect(numbers()).toEqual([1, 2, 3, 4])
  await until(() => numbers().length === 203)
  expect(write).toHaveBeenCalledTimes(2)
})

test('a failed fetch is retried, and so is a cached answer without the new posts', async () => {
  const { server, store, numbers, fetchPosts } = setUp()
  server.push(makePost(4))
  fetchPosts.mockRejectedValueOnce(new Error('offline')).mockResolvedValueOnce([])
  store.learn({ postCount: 4, revision: 4 })
  await until(() => numbers().length === 4)
  expect(fetchPosts).toHaveBeenCalledTimes(3)
})

test('a removal reloads the window', async () => {
  const { server, store, read } = setUp()
  server[1] = makePost(2, { deleted: true, content: '' })
  store.learn({ postCount: 3, revision: 4 })
  await expect.poll(() => read().posts[1]?.deleted).toBe(true)
})

test('a refreshed window has the new counts of likes, and is loaded once', async () => {
  const { server, store, read, fetchPosts } = setUp()
  server[1] = makePost(2, { likes: 7 })
  store.refresh()
  store.learn({ postCount: 3, revision: 3 })
  await expect.poll(() => read().posts[1]?.likes).toBe(7)
  await store.settle()
  expect(fetchPosts).toHaveBeenCalledTimes(1)
})

test('a reload names the known changes, so that no cache answers with a copy from before', async () => {
  const { store, fetchPosts } = setUp()
  store.learn({ postCount: 3, revision: 5 })
  await expect.poll(() => fetchPosts.mock.calls).toHaveLength(1)
  expect(fetchPosts).toHaveBeenCalledWith({ after: 0, limit: 3, changes: 2 })
})

test('posts that are added after a change are not those of a copy from before it', async () => {
  const { server, store, read, fetchPosts } = setUp({ from: 101, to: 150, total: 150 })
  const answer = fetchPosts.getMockImplementation()!
  const copies = new Map<string, readonly Post[]>()
  fetchPosts.mockImplementation(async (query) => {
    const address = JSON.stringify(query)
    const posts = copies.get(address) ?? (await answer(query))
    copies.set(address, posts)
    return [...posts]
  })
  // Another reader has asked for the posts on both sides just before.
  await fetchPosts({ before: 101, limit: 50, changes: 0 })
  server.push(makePost(151))
  await fetchPosts({ after: 150, limit: 100, changes: 0 })
  for (const number of [90, 151]) server[number - 1] = makePost(number, { deleted: true, content: '' })
  store.learn({ postCount: 151, revision: 153 })
  await until(() => read().posts.length === 51)
  await store.loadOlder()
  expect(
    read()
      .posts.filter(({ deleted }) => deleted)
      .map(({ number }) => number),
  ).toEqual([90, 151])
})

test('a window in the middle loads more at both ends, one request at a time', async () => {
  const { store, numbers, fetchPosts } = setUp({ from: 101, to: 150, total: 220 })
  await Promise.all([store.loadOlder(), store.loadOlder(), store.loadNewer()])
  expect(numbers()).toEqual(makePosts(51, 200).map((post) => post.number))
  expect(fetchPosts).toHaveBeenCalledTimes(2)
  expect(store.view().follows).toBe(false)
  await store.loadNewer()
  expect(store.view().follows).toBe(true)
})

test('a page that fails to load shows the error and can be requested again', async () => {
  const { store, fetchPosts } = setUp({ from: 1, to: 3, total: 9 })
  fetchPosts.mockRejectedValueOnce(new Error('offline'))
  await store.loadNewer()
  expect(store.view().newer).toBe('failed')
  await store.loadNewer()
  expect(store.view().newer).toBe('idle')
})

test('polling finds new posts at the end, and counts them in the middle', async () => {
  const end = setUp()
  end.server.push(makePost(4))
  await end.store.probe()
  expect(end.numbers()).toEqual([1, 2, 3, 4])

  const middle = setUp({ from: 1, to: 2, total: 5 })
  middle.server.push(makePost(6))
  await middle.store.probe()
  expect(middle.numbers()).toEqual([1, 2])
  expect(middle.store.view().newest).toBe(6)
})

test('an own post far below can be reached by following again', async () => {
  const { server, store, numbers } = setUp({ from: 1, to: 50, total: 120 })
  server.push(makePost(121))
  store.hear(makePost(121))
  expect(numbers()).toHaveLength(50)
  expect(store.follow()).toBe(true)
  await until(() => numbers().length === 121)
})
