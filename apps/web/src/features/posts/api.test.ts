import type { Thread } from '@shinobi/contract/threads'
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { threadKeys } from '../threads/api.ts'
import { answersQuery } from './answers-query.ts'
import {
  createPost,
  fetchPosts,
  findPostsQuery,
  pagesOf,
  positionOf,
  postKeys,
  postsInfiniteQuery,
  postSpanQuery,
  windowOf,
} from './api.ts'
import { makePosts, THREAD_ID } from './post-fixtures.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const known = { postCount: 130, revision: 130 }

test('a window is stored as the pages that refetching it would give', () => {
  const window = { start: 10, posts: makePosts(11, 130) }
  const pages = pagesOf(window, known)
  expect(pages.pageParams).toEqual([{ after: 10 }, { after: 60 }, { after: 110 }])
  expect(pages.pages.map((page) => page.length)).toEqual([50, 50, 20])
  expect(windowOf(pages)).toEqual(window)
})

test('an empty window keeps its start', () => {
  const window = { start: 500, posts: [] }
  expect(windowOf(pagesOf(window, known))).toEqual(window)
})

test('pages continue by number in both directions, and end at post 1', () => {
  const { getNextPageParam, getPreviousPageParam } = postsInfiniteQuery(THREAD_ID, { after: 50 })
  const page = makePosts(51, 100)
  expect(getNextPageParam(page, [page], { after: 50 }, [{ after: 50 }])).toEqual({ after: 100 })
  expect(getPreviousPageParam?.(page, [page], { after: 50 }, [{ after: 50 }])).toEqual({ before: 51 })
  expect(getPreviousPageParam?.(makePosts(1, 50), [], { after: 0 }, [])).toBeUndefined()
  expect(getNextPageParam([], [[]], { after: 100 }, [])).toBeUndefined()
})

test('a window that is older than its thread lacks a change, so that its posts are loaded again', () => {
  const client = new QueryClient()
  const key = postKeys.window(THREAD_ID, 0)
  const thread = { postCount: 3, revision: 5 }
  const readPosts = (updatedAt: number, of = {}) =>
    client.setQueryData(key, { pages: [makePosts(1, 3)], pageParams: [{ after: 0 }], ...of }, { updatedAt })
  const readThread = (updatedAt: number) => client.setQueryData(threadKeys.detail(THREAD_ID), thread, { updatedAt })
  readPosts(1_000_000)
  readThread(1_001_000)
  expect(positionOf(client, THREAD_ID, key, thread)).toEqual(thread)
  // The reader comes back after 20 minutes: the thread is fetched, the posts are still cached.
  readThread(2_200_000)
  expect(positionOf(client, THREAD_ID, key, thread)).toEqual({ postCount: 3, revision: 4 })
  // What was kept up to date says itself what it reflects.
  readPosts(1_000_000, { known })
  expect(positionOf(client, THREAD_ID, key, thread)).toEqual(known)
})

test('a post that is not answered in time fails as without a network, so that it is kept and sent again', async () => {
  const limit = new AbortController()
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal)
  vi.stubGlobal('fetch', (_path: string, { signal }: RequestInit) => {
    limit.abort(new DOMException('too late', 'TimeoutError'))
    return signal?.aborted === true ? Promise.reject(signal.reason as Error) : Promise.resolve(new Response('{}'))
  })
  const post = { content: '一言', name: '忍', clientPostId: 'a', image: null, sage: false, asStaff: false }
  const failed = createPost(THREAD_ID, post, () => {})
  await expect(failed).rejects.toMatchObject({ code: 'network', status: 0 })
  expect(timeout).toHaveBeenCalledWith(20_000)
})

test('whatever shows posts asks for them under an address with the known changes of their thread', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path)
    return Response.json([])
  })
  const client = new QueryClient()
  const ask = async (changes: number) => {
    client.clear()
    asked.length = 0
    client.setQueryData<Partial<Thread>>(threadKeys.detail(THREAD_ID), { postCount: 130, revision: 130 + changes })
    await fetchPosts(THREAD_ID, { after: 0, limit: 3, changes })
    await client.fetchInfiniteQuery(postsInfiniteQuery(THREAD_ID, { after: 50 }))
    await client.fetchQuery(postSpanQuery(THREAD_ID, 8, 1))
    await client.fetchInfiniteQuery(findPostsQuery(THREAD_ID, 'a', changes))
    await client.fetchQuery(answersQuery(THREAD_ID))
    return asked.map((path) => path.replace(`/api/threads/${THREAD_ID}/`, ''))
  }
  expect(await ask(2)).toEqual([
    'posts?after=0&limit=3&changes=2',
    'posts?after=50&changes=2',
    'posts?after=8&limit=1&changes=2',
    'posts/search?search=a&changes=2',
    'answers?changes=2',
  ])
  // Without a change no copy is from before one.
  expect(await ask(0)).toEqual([
    'posts?after=0&limit=3',
    'posts?after=50',
    'posts?after=8&limit=1',
    'posts/search?search=a',
    'answers',
  ])
})

test('posts that are missing on a page of long ones are asked for, up to the newest', async () => {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path.replace(`/api/threads/${THREAD_ID}/posts?`, ''))
    const from = Number(new URLSearchParams(path.split('?')[1]).get('after'))
    return Response.json(makePosts(from + 1, Math.min(from + 40, 190)))
  })
  const posts = await new QueryClient().fetchQuery(postSpanQuery(THREAD_ID, 100, 100, 190))
  expect(posts.map(({ number }) => number)).toEqual(makePosts(101, 190).map(({ number }) => number))
  expect(asked).toEqual(['after=100&limit=100', 'after=140&limit=60', 'after=180&limit=20'])
})

test('a page of a thread is asked for again when posts were added to it, and only then', async () => {
  let asked = 0
  vi.stubGlobal('fetch', async (path: string) => {
    asked += 1
    const query = new URLSearchParams(path.split('?')[1])
    const from = Number(query.get('after'))
    return Response.json(makePosts(from + 1, from + Number(query.get('limit'))))
  })
  const client = new QueryClient()
  for (const last of [130, 130, 131]) await client.fetchQuery(postSpanQuery(THREAD_ID, 100, 100, last))
  expect(asked).toBe(2)
  for (const last of [230, 240]) await client.fetchQuery(postSpanQuery(THREAD_ID, 100, 100, last))
  expect(asked).toBe(3)
})
