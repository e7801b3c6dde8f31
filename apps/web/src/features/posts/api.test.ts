import { expect, test } from 'vitest'
import { pagesOf, postsInfiniteQuery, windowOf } from './api.ts'
import { makePosts, THREAD_ID } from './post-fixtures.ts'

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
