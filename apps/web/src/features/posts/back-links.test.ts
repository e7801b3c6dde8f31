import { expect, test } from 'vitest'
import { backLinks } from './back-links.ts'
import { makePost } from './post-fixtures.ts'

test('each post lists the posts that answer it, once each', () => {
  const links = backLinks([
    makePost(1),
    makePost(2, { content: '>>1 >>1 それな' }),
    makePost(3, { content: '＞＞１-2' }),
    makePost(4, { content: '>>9 未来へ' }),
  ])
  expect([...links]).toEqual([
    [1, [2, 3]],
    [2, [3]],
  ])
})

test('a post that answers more than ten posts creates no back-links', () => {
  expect(backLinks([makePost(12, { content: '>>1-11' })]).size).toBe(0)
})
