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

test('a post that arrives is counted once', () => {
  const known = { through: 80, answers: { 3: [10] } }
  const next = makePost(81, { content: '>>3 >>4' })
  const counted = { through: 81, answers: { 3: [10, 81], 4: [81] }, later: [] }
  expect(withAnswers(known, [next])).toEqual(counted)
  expect(withAnswers(withAnswers(known, [next]), [next, makePost(80, { content: '>>3' })])).toEqual(counted)
})

test('posts that arrive after a missed one are counted when all up to that one are known', () => {
  const behind = withAnswers(withAnswers({ through: 80, answers: { 3: [10] } }, [makePost(83, { content: '>>3' })]), [
    makePost(82, { content: '>>4' }),
  ])
  expect(behind).toMatchObject({ through: 80, answers: { 3: [10] } })
  expect(withAnswers({ through: 81, answers: { 3: [10, 81] } }, behind.later!)).toEqual({
    through: 83,
    answers: { 3: [10, 81, 83], 4: [82] },
    later: [],
  })
})
