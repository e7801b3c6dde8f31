import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { content, nickname, title, type ThreadItem } from '@shinobi/contract/threads'
import type { ThreadSummary } from '@shinobi/contract/news'
import type { Post } from '@shinobi/contract/posts'
import { selectTotals } from '../db/tallies.ts'
import { openBoard, START, visit, type Board, type Guest } from '../testing/board.ts'
import { seedThreads, type BoardPlan } from './board.ts'
import { buildSearch, writeBoard } from './fill.ts'
import { TOPICS } from './japanese-topics.ts'

const categories = Object.keys(TOPICS).map((name) => ({ id: `id of ${name}`, name }))
const plan: BoardPlan = { threads: 300, posts: 5_000, seed: 1, now: START, categories }
const DAY_MS = 86_400_000

describe('a planned board', () => {
  const threads = [...seedThreads(plan)]
  const posts = threads.flatMap((thread) => thread.posts)

  it('is the same for the same seed and time, and different for another seed', () => {
    expect([...seedThreads(plan)]).toEqual(threads)
    expect([...seedThreads({ ...plan, seed: 2 })][0]?.posts).not.toEqual(threads[0]?.posts)
  })

  it('has as many threads and posts as requested, and a few threads with many of them', () => {
    expect([threads.length, posts.length]).toEqual([300, 5_000])
    const sizes = threads.map((thread) => thread.postCount).toSorted((a, b) => b - a)
    expect(sizes[0]).toBeGreaterThan(10 * sizes[150]!)
    expect(sizes.at(-1)).toBeGreaterThanOrEqual(1)
    for (const [threadCount, postCount] of [
      [1, 1],
      [1, 500],
      [7, 7],
      [50, 60],
    ] as const) {
      const small = [...seedThreads({ ...plan, threads: threadCount, posts: postCount })]
      expect(small.reduce((sum, thread) => sum + thread.posts.length, 0)).toBe(postCount)
    }
  })

  it('contains valid texts only: the contract accepts every title, name and text', () => {
    for (const thread of threads) {
      expect(title.parse(thread.title)).toBe(thread.title)
      expect(thread.title.length).toBeGreaterThanOrEqual(8)
      expect(thread.title.length).toBeLessThanOrEqual(60)
      for (const post of thread.posts) {
        if (post.deletedAt === null) expect(content.safeParse(post.content).success).toBe(true)
        if (post.name !== null) expect(nickname.parse(post.name)).toBe(post.name)
      }
    }
  })

  it('numbers posts without gaps, in the order of their times and ids, within the last 90 days', () => {
    for (const thread of threads) {
      expect(thread.posts.map((post) => post.number)).toEqual(thread.posts.map((_post, index) => index + 1))
      for (const [index, post] of thread.posts.entries()) {
        const before = thread.posts[index - 1]
        if (before === undefined) continue
        expect(post.createdAt > before.createdAt).toBe(true)
        expect(post.id > before.id).toBe(true)
      }
      expect(Date.parse(thread.createdAt)).toBeGreaterThan(START - 91 * DAY_MS)
      expect(Date.parse(thread.lastPostAt)).toBeLessThanOrEqual(START)
    }
    expect(new Set([...threads, ...posts].map(({ id }) => id)).size).toBe(5_300)
  })

  it('has anchors to earlier posts only', () => {
    const anchors = posts.flatMap((post) =>
      [...post.content.matchAll(/>>(\d+)/g)].map((match) => [post.number, Number(match[1])]),
    )
    expect(anchors.length).toBeGreaterThan(1_000)
    for (const [number, target] of anchors) expect(number === 1 || target! < number!).toBe(true)
  })

  it('has news threads whose sentences stand in their article, with the label AI only where it applies', () => {
    const news = threads.flatMap((thread) => (thread.story === null ? [] : [{ thread, story: thread.story }]))
    expect(new Set(news.map(({ story }) => story.kind))).toEqual(new Set(['ai', 'extractive', 'headline']))
    for (const { thread, story } of news) {
      expect([thread.summary, thread.aiGenerated]).toEqual([story.kind, story.kind === 'ai'])
      expect([thread.nickname, thread.sourceUrl]).toEqual([null, story.articles[0]?.url])
      const { sentences } = story.summary
      for (const { quote } of sentences) expect(story.articles[0]?.document.text).toContain(quote)
      if (story.kind !== 'headline')
        expect(thread.posts[0]?.content).toBe(sentences.map((sentence) => sentence.text).join('\n'))
    }
    for (const thread of threads.filter(({ story }) => story === null))
      expect([thread.summary, thread.aiGenerated, thread.sourceUrl]).toEqual([null, false, null])
  })

  it('makes no jokes in topics about people', () => {
    const solemn = new Set(categories.filter(({ name }) => name.startsWith('immigration')).map(({ id }) => id))
    for (const thread of threads.filter(({ categoryId }) => solemn.has(categoryId))) {
      for (const post of thread.posts) expect(post.content).not.toMatch(/草|ｗ|ﾜﾛﾀ/)
    }
  })
})

describe('a seeded board', () => {
  let board: Board
  let guest: Guest

  beforeAll(async () => {
    board = await openBoard()
    guest = visit(board)
    const known = await board.database.db.selectFrom('categories').select(['id', 'name']).orderBy('position').execute()
    await writeBoard(board.database.db, { ...plan, threads: 60, posts: 600, categories: known }, () => {})
    await buildSearch(board.database.db, START)
  })
  afterAll(() => board.close())

  it('shows its threads in every order', async () => {
    for (const sort of ['newest', 'oldest', 'popular', 'liked', 'speed', 'active']) {
      const { status, body } = await guest.get<ThreadItem[]>(`/api/threads?sort=${sort}&limit=100`)
      expect([status, body.length]).toEqual([200, 60])
    }
  })

  it('shows the posts of a thread', async () => {
    const { body: threads } = await guest.get<ThreadItem[]>('/api/threads?sort=popular&limit=1')
    const { body: posts } = await guest.get<Post[]>(`/api/threads/${threads[0]!._id}/posts?limit=100`)
    expect(posts[0]?.content).not.toBe('')
    expect(posts.length).toBe(Math.min(100, threads[0]!.postCount))
  })

  it('has exact totals for administrators', async () => {
    const { db } = board.database
    const posts = await db.selectFrom('posts').select('id').where('deletedAt', 'is', null).execute()
    expect(await selectTotals(db)).toEqual({ users: 0, threads: 60, posts: posts.length })
  })

  it('lists each thread for browsers of 2ch', async () => {
    const lists = await Promise.all(
      Object.keys(TOPICS).map(async (name) => (await guest.get<string>(`/${name}/subject.txt`)).body),
    )
    expect(lists.join('').match(/^\d{10}\.dat<>/gm)).toHaveLength(60)
  })

  it('has trending threads', async () => {
    const { body } = await guest.get<ThreadItem[]>('/api/threads/trending')
    expect(body.length).toBeGreaterThan(0)
  })

  it('is found by search, by title and by post', async () => {
    const { body: threads } = await guest.get<ThreadItem[]>('/api/threads?limit=1')
    const { body: found } = await guest.get<ThreadItem[]>(
      `/api/threads?search=${encodeURIComponent(`"${threads[0]!.title}"`)}`,
    )
    expect(found.map(({ _id }) => _id)).toContain(threads[0]!._id)
    const { body: laughing } = await guest.get<ThreadItem[]>(`/api/threads?search=${encodeURIComponent('それな')}`)
    expect(laughing.length).toBeGreaterThan(0)
  })

  it('has the records of its news threads', async () => {
    const { body: threads } = await guest.get<ThreadItem[]>('/api/threads?limit=100')
    const news = threads.filter(({ summary }) => summary !== null)
    expect(news.length).toBeGreaterThan(2)
    for (const thread of news) {
      const { status, body } = await guest.get<ThreadSummary>(`/api/threads/${thread._id}/summary`)
      expect(status).toBe(200)
      expect([body.kind, body.sources[0]?.url, body.sources[0]?.site]).toEqual([
        thread.summary,
        thread.sourceUrl,
        thread.sourceSite,
      ])
    }
    const sources = await board.database.db.selectFrom('newsSources').select('threads').execute()
    expect(sources.reduce((sum, source) => sum + source.threads, 0)).toBe(news.length)
  })

  it('takes new posts with the next number', async () => {
    const { body: threads } = await guest.get<ThreadItem[]>('/api/threads?limit=1')
    const { status, body } = await guest.post<Post>(`/api/threads/${threads[0]!._id}/posts`, {
      content: 'こんばんは',
      name: '新しい忍者',
    })
    expect([status, body.number]).toEqual([201, threads[0]!.postCount + 1])
  })
})
