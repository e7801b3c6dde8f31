import type { Thread } from '@shinobi/contract/threads'
import { expect, test } from 'vitest'
import { z } from 'zod'
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
  sages: 0,
  locked: false,
  postLimit: 1_000,
  closedAt: null,
  pinned: null,
  revision: 20,
  previous: null,
  next: null,
  ownerActions: [],
}

test('the description is the opening text on one line', () => {
  expect(threadDescription(thread)).toBe('手裏剣、 撒菱（20件の書き込み）')
  const news = { ...thread, summary: 'ai', aiGenerated: true, sourceSite: 'つばめ通信' } as const
  expect(threadDescription(news)).toBe('【AI要約・出典: つばめ通信】手裏剣、 撒菱（20件の書き込み）')
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

/**
 * What Google requires of discussion forum structured data, and the types of what it recommends:
 * developers.google.com/search/docs/appearance/structured-data/discussion-forum
 */
const author = z.strictObject({ '@type': z.enum(['Person', 'Organization']), name: z.string().min(1) })
const counter = z.strictObject({
  '@type': z.literal('InteractionCounter'),
  interactionType: z.url({ protocol: /^https$/, hostname: /^schema\.org$/ }),
  userInteractionCount: z.int().min(0),
})
const work = {
  text: z.string().min(1),
  url: z.url(),
  datePublished: z.iso.datetime(),
  author,
  interactionStatistic: counter.optional(),
}
const forumPosting = z.strictObject({
  '@type': z.literal('DiscussionForumPosting'),
  ...work,
  headline: z.string().min(1),
  dateModified: z.iso.datetime(),
  commentCount: z.int().min(0),
  comment: z.array(z.strictObject({ '@type': z.literal('Comment'), ...work })),
  inLanguage: z.literal('ja'),
  isPartOf: z.url(),
  image: z.url().optional(),
  creativeWorkStatus: z.literal('Deleted').optional(),
  digitalSourceType: z.literal('https://schema.org/TrainedAlgorithmicMediaDigitalSource').optional(),
  isBasedOn: z.url().optional(),
  sharedContent: z.strictObject({ '@type': z.literal('WebPage'), url: z.url() }).optional(),
  creditText: z.string().min(1).optional(),
})

test.each([
  ['a thread', thread],
  ['a thread whose opening post was removed', { ...thread, content: '', excerpt: '', imageUrl: null }],
  ['a thread whose opening post is folded', { ...thread, excerpt: '', imageUrl: null }],
  [
    'a summary',
    { ...thread, summary: 'ai', aiGenerated: true, sourceSite: 'つばめ通信', sourceUrl: 'https://news.example/1' },
  ],
] satisfies [string, Thread][])('structured data of %s has what search engines require, and nothing else', (_, of) => {
  const posts = [...makePosts(1, 5), makePost(6, { likes: 4 })]
  const data = threadJsonLd(of, posts, 'https://board.example')
  // As it is written into the page, where values that are undefined do not appear.
  expect(forumPosting.parse(JSON.parse(JSON.stringify(data)))).toMatchObject({
    interactionStatistic: { userInteractionCount: 3 },
    comment: { 4: { interactionStatistic: { userInteractionCount: 4 } } },
  })
})

test('structured data contains no text of a folded post', () => {
  const folded = makePost(2, { folded: true, content: '多くの人が通報した' })
  expect(JSON.stringify(threadJsonLd(thread, [folded], 'https://board.example'))).not.toContain('通報した')
  const opening = { ...thread, excerpt: '' }
  const data = threadJsonLd(opening, [], 'https://board.example')
  expect(JSON.stringify(data)).not.toContain('撒菱')
  expect(data).not.toHaveProperty('creativeWorkStatus')
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
    sharedContent: { url: 'https://news.example/1' },
    creditText: '出典: つばめ通信',
  })
  expect(extract).not.toHaveProperty('digitalSourceType')
  const written = threadJsonLd({ ...news, summary: 'ai', aiGenerated: true }, [], 'https://board.example')
  expect(written['digitalSourceType']).toMatch(/TrainedAlgorithmicMedia/)
})
