import { expect, test } from 'vitest'
import { allAnswers, backLinks, withAnswers } from './back-links.ts'
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

test('answers of posts that are not loaded are added to those of the loaded ones, which are newer', () => {
  const loaded = [makePost(51, { content: '>>3' }), makePost(52, { deleted: true, content: '' })]
  const known = { through: 80, answers: { 3: [10, 52, 70], 9: [52] } }
  expect([...allAnswers(known, loaded)]).toEqual([[3, [10, 51, 70]]])
  expect([...allAnswers(undefined, loaded)]).toEqual([[3, [51]]])
})

test('a post that arrives is counted, unless one before it was missed', () => {
  const known = { through: 80, answers: { 3: [10] } }
  expect(withAnswers(known, makePost(81, { content: '>>3 >>4' }))).toEqual({
    through: 81,
    answers: { 3: [10, 81], 4: [81] },
  })
  expect(withAnswers(known, makePost(82, { content: '>>3' }))).toBe(known)
  expect(withAnswers(known, makePost(80, { content: '>>3' }))).toBe(known)
})
