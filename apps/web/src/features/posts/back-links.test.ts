import { expect, test } from 'vitest'
import { backLinks } from './back-links.ts'
import { makePost } from './post-fixtures.ts'

test('each post knows who answered it, once per answer', () => {
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

test('a post that names everybody links back to nobody', () => {
  expect(backLinks([makePost(12, { content: '>>1-11' })]).size).toBe(0)
})
