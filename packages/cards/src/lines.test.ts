import fc from 'fast-check'
import { expect, test } from 'vitest'
import { setTitle, shorten } from './lines.ts'

/** Every character one em wide, as in Japanese. */
const measure = (text: string): number => [...text].length
const WIDTH = 1_040

const linesOf = (title: string): readonly string[] => setTitle(title, WIDTH, measure).lines

test('a title is broken between phrases', () => {
  expect(linesOf('日本の移民問題について語るスレ')).toEqual(['日本の移民問題に', 'ついて語るスレ'])
})

test('no line begins with a closing mark, or ends with an opening bracket', () => {
  for (const title of [
    'あああああああああああああああ。いいい',
    '今日は「とてもとても長い題名のスレッド」を立てる（仮）',
  ]) {
    for (const line of linesOf(title)) expect(line).not.toMatch(/^[。、」）ー]|[「（]$/u)
  }
})

test('a short title is larger than a long one, and a word in Latin letters stays whole', () => {
  expect(setTitle('草', WIDTH, measure).size).toBeGreaterThan(setTitle('草'.repeat(40), WIDTH, measure).size)
  expect(linesOf('新しいTypeScriptの話をしよう')).toContainEqual(expect.stringContaining('TypeScript'))
})

test('a word that is wider than a line is broken, and what exceeds three lines ends with an ellipsis', () => {
  expect(linesOf('a'.repeat(40)).join('')).toBe('a'.repeat(40))
  const lines = linesOf('。'.repeat(100))
  expect([lines.length, lines.at(-1)!.at(-1)]).toEqual([3, '…'])
})

test('whatever the title, at most three lines fit the picture and lose no character but at the end', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 100 }), (text) => {
      const title = text.replaceAll(/\s+/gu, ' ').trim()
      fc.pre(title !== '')
      const { size, lines } = setTitle(title, WIDTH, measure)
      expect(lines.length).toBeLessThanOrEqual(3)
      for (const line of lines) expect(measure(line) * size).toBeLessThanOrEqual(WIDTH)
      const shown = lines.join('').replace(/…$/u, '').replaceAll(' ', '')
      expect(title.replaceAll(' ', '').startsWith(shown)).toBe(true)
    }),
  )
})

test('a text that is too wide is shortened', () => {
  expect(shorten('雑談', 2, measure)).toBe('雑談')
  expect(shorten('雑談の部屋', 3, measure)).toBe('雑談…')
})
