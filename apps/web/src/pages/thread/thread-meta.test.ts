import type { Thread } from '@shinobi/contract/threads'
import { expect, test } from 'vitest'
import { makePost, makePosts, THREAD_ID } from '../../features/posts/post-fixtures.ts'
import { threadDescription, threadJsonLd, threadPath } from './thread-meta.ts'

const thread: Thread = {
  _id: THREAD_ID,
  title: '夜更けに語る忍びの道具',
  excerpt: '手裏剣、\n撒菱',
  content: '手裏剣、\n撒菱',
  category: 'general',
  categoryId: THREAD_ID,
  imageUrl: '/images/a.webp',
  thumbnailUrl: '/images/a-small.webp',
  imageWidth: 640,
  imageHeight: 480,
  nickname: null,
  userId: null,
  createdAt: '2026-11-21T04:03:00.000Z',
  lastPostAt: '2026-11-21T05:03:00.000Z',
  aiGenerated: false,
  summary: null,
  sourceSite: null,
  sourceUrl: null,
  likes: 3,
  postCount: 20,
  locked: false,
  postLimit: 1_000,
  closedAt: null,
  pinned: null,
  revision: 20,
  previous: null,
  next: null,
}

test('the description is the opening text on one line', () => {
  expect(threadDescription(thread)).toBe('手裏剣、 撒菱（20件の書き込み）')
})

test('each window of posts has its own address, and the newest window has the address of the thread', () => {
  expect(threadPath(thread, { after: 50 })).toBe(`/thread/${THREAD_ID}?after=50`)
  expect(threadPath(thread, { last: true })).toBe(`/thread/${THREAD_ID}`)
})

test('structured data uses 名無し for a missing name, omits removed posts and contains 10 comments at most', () => {
  const posts = [...makePosts(1, 3), makePost(4, { deleted: true, content: '' }), ...makePosts(5, 20)]
  const data = threadJsonLd(thread, posts, 'https://board.example')
  expect(data).toMatchObject({
    '@type': 'DiscussionForumPosting',
    url: `https://board.example/thread/${THREAD_ID}`,
    image: 'https://board.example/images/a.webp',
    author: { name: '名無し' },
    commentCount: 19,
  })
  const comments = data['comment'] as { url: string }[]
  expect(comments).toHaveLength(10)
  expect(comments.map(({ url }) => url)).not.toContain(`https://board.example/thread/${THREAD_ID}#4`)
})

test('structured data of a news thread names no person, has its source, and declares text of a language model', () => {
  const news: Thread = {
    ...thread,
    summary: 'extractive',
    sourceSite: 'つばめ通信',
    sourceUrl: 'https://news.example/1',
  }
  const extract = threadJsonLd(news, [], 'https://board.example')
  expect(extract).toMatchObject({
    author: { '@type': 'Organization', name: '忍板' },
    isBasedOn: 'https://news.example/1',
  })
  expect(extract).not.toHaveProperty('digitalSourceType')
  const written = threadJsonLd({ ...news, summary: 'ai', aiGenerated: true }, [], 'https://board.example')
  expect(written['digitalSourceType']).toMatch(/TrainedAlgorithmicMedia/)
})
