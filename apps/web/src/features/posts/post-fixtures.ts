/** Posts for tests. */
import type { Post } from '@shinobi/contract/posts'

export const THREAD_ID = '01920000-0000-7000-8000-000000000001'

export function makePost(number: number, over: Partial<Post> = {}): Post {
  return {
    _id: `01920000-0000-7000-9000-${String(number).padStart(12, '0')}`,
    threadId: THREAD_ID,
    number,
    name: null,
    content: `書き込み${number}`,
    createdAt: '2026-11-21T04:03:00.000Z',
    imageUrl: null,
    thumbnailUrl: null,
    imageWidth: null,
    imageHeight: null,
    likes: 0,
    userId: null,
    deleted: false,
    rule: null,
    folded: false,
    ...over,
  }
}

export const makePosts = (from: number, to: number): Post[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => makePost(from + index))
