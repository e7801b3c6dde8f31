import { expect, test } from 'vitest'
import { makePost } from './post-fixtures.ts'
import { countSpoken } from './spoken.ts'

const fetched = (number: number, posterId: string, posterNth: number, posterTotal: number) =>
  makePost(number, { posterId, posterNth, posterTotal })
const announced = (number: number, posterId: string) => makePost(number, { posterId })

const countsOf = (start: number, posts: ReturnType<typeof makePost>[]) =>
  countSpoken(start, posts).map(({ posterNth, posterTotal }) =>
    posterNth === undefined ? null : `${posterNth}/${posterTotal}`,
  )

test('an announced post is the next one of its ID, and raises the number of all', () => {
  expect(
    countsOf(50, [fetched(51, 'a', 3, 4), fetched(52, 'a', 4, 4), announced(53, 'a'), announced(54, 'a')]),
  ).toEqual(['3/6', '4/6', '5/6', '6/6'])
})

test('the first post of an ID is counted where the thread is known from its beginning, and nowhere else', () => {
  expect(countsOf(0, [makePost(1), announced(2, 'a'), announced(3, 'b'), announced(4, 'a')])).toEqual([
    null,
    '1/2',
    '1/1',
    '2/2',
  ])
  expect(countsOf(50, [fetched(51, 'b', 1, 1), announced(52, 'a'), announced(53, 'a')])).toEqual(['1/1', null, null])
})

test('earlier posts that are loaded later give the announced ones their places', () => {
  const window = countSpoken(51, [announced(52, 'a')])
  expect(countsOf(49, [fetched(50, 'b', 1, 1), fetched(51, 'a', 2, 2), ...window])).toEqual(['1/1', '2/3', '3/3'])
})

test('posts that need no count stay the same objects', () => {
  const posts = [fetched(1, 'a', 1, 2), makePost(2), fetched(3, 'a', 2, 2)]
  expect(countSpoken(0, posts)).toBe(posts)
})
