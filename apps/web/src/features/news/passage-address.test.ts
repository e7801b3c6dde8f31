import { expect, test } from 'vitest'
import { passageAddress } from './passage-address.ts'

const ARTICLE = 'https://news.example/a'
const sought = (address: string) => address.slice(`${ARTICLE}#:~:text=`.length)

test('a short passage is linked as a whole, with the special characters of text fragments escaped', () => {
  expect(passageAddress(ARTICLE, '港町市は20日、発表した。')).toMatch(/^https:\/\/news\.example\/a#:~:text=%/u)
  const text = 'A-1, B & C が決まった。'
  expect(decodeURIComponent(sought(passageAddress(ARTICLE, text)))).toBe(text)
  expect(sought(passageAddress(ARTICLE, text))).not.toMatch(/[-,&]/u)
})

test('a long passage is linked by its start and end, and one of two paragraphs by the first', () => {
  const long = `はじめの言葉${'あ'.repeat(40)}おわりの言葉。`
  const [start, end, ...more] = sought(passageAddress(ARTICLE, long)).split(',').map(decodeURIComponent)
  expect([long.startsWith(start!), long.endsWith(end!), more.length]).toEqual([true, true, 0])
  expect(decodeURIComponent(sought(passageAddress(ARTICLE, '一段目。\n二段目。')))).toBe('一段目。')
})

test('an address that already has a fragment is unchanged', () => {
  expect(passageAddress(`${ARTICLE}#p2`, '港町市は')).toBe(`${ARTICLE}#p2`)
})
