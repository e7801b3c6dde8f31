import { expect, test } from 'vitest'
import { isAsciiArt } from './ascii-art.ts'

const monar = ['　　 ∧＿∧', '　 （　´∀｀）＜ オマエモナー', '　 （　　　　）', '　 ｜ ｜　|', '　 （_＿）＿）'].join(
  '\n',
)
const box = ['┌────┐', '│忍板│', '└────┘'].join('\n')

test('text shifted with mixed spaces is art', () => {
  expect(isAsciiArt(monar)).toBe(true)
})
test('lines drawn with box characters are art', () => {
  expect(isAsciiArt(box)).toBe(true)
})
test('art with lines of prose, or with a single shifted line, is art', () => {
  const tea = '　　∧＿∧\n　 （　´∀｀）  ＜ｵﾏｴﾓﾅｰ\n\n |⌒ ｜'
  expect(isAsciiArt(tea)).toBe(true)
  expect(isAsciiArt(`${monar}\nひさしぶりに描いてみた。\nどうだろう。`)).toBe(true)
  expect(isAsciiArt('　＊　　　　　＋\n＋　　n ∧＿∧　 n\n＋　(ﾖ（* ´∀｀）E)\n 　  Y 　　Y')).toBe(true)
})
test('stray spaces in prose are not art', () => {
  const prose = '昨日の記事を読んだ。'.repeat(40)
  expect(isAsciiArt(`${prose}　 ${prose}\n以上です。`)).toBe(false)
  expect(isAsciiArt(`　 ${prose}\n　 ${prose}`)).toBe(false)
  expect(isAsciiArt('えっと　 それで\nはい、そうです。\nおわり')).toBe(false)
  expect(isAsciiArt(`A　 B\n${'草\n'.repeat(1_990)}`)).toBe(false)
})
test('prose is not art', () => {
  expect(isAsciiArt('草')).toBe(false)
  expect(isAsciiArt('　昔々、あるところに。\n　おじいさんと\n　おばあさんがいました。')).toBe(false)
  expect(isAsciiArt('第一（一）、\n第二（二）、\n第三（三）…')).toBe(false)
})
test('a single line with a stray space, a list of addresses and an emoticon are not art', () => {
  expect(isAsciiArt('えっと　 それで')).toBe(false)
  expect(isAsciiArt('https://a.example/\nhttps://b.example/\nhttps://c.example/')).toBe(false)
  expect(isAsciiArt('(´・ω・`)')).toBe(false)
})
