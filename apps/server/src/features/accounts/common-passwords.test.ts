import { expect, it } from 'vitest'
import { isCommonPassword } from './common-passwords.ts'

it.each([
  ['12345678', true],
  ['ｐａｓｓｗｏｒｄ', true],
  ['iLoveYou', true],
  ['ああああああああああ', true],
  ['🥷🥷🥷🥷🥷🥷🥷🥷', true],
  ['kaede@example.jp', true],
  ['楓 の 合言葉 七', false],
  ['correct horse battery', false],
])('%s as a password: is it common? %s', (password, isCommon) => {
  expect(isCommonPassword(password, { name: '楓', email: 'kaede@example.jp' })).toBe(isCommon)
})
