import { expect, test } from 'vitest'
import { numbersAnsweredBy } from './anchors.ts'

test.each([
  ['>>1 >>1 それな', [1]],
  ['＞＞１-2,4', [1, 2, 4]],
  ['>>12 >>13 まだない番号', []],
  ['>>1-11 のまとめ >>3', [3]],
  [Array.from({ length: 40 }, (_, index) => `>>${(index % 5) + 1}`).join('\n'), [1, 2, 3, 4, 5]],
  ['引用 > 1 と >1', []],
])('post 12 with %j answers %j', (content, answered) => {
  expect(numbersAnsweredBy({ number: 12, content })).toEqual(answered)
})

test('anchors beyond the thirtieth answer nothing', () => {
  const content = Array.from({ length: 40 }, (_, index) => `>>${index + 1}`).join(' ')
  expect(numbersAnsweredBy({ number: 100, content })).toHaveLength(30)
})
