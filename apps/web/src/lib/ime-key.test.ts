import { expect, test } from 'vitest'
import { isImeKey } from './ime-key.ts'

test('a key of an input method is told by either sign, as Safari gives only the key code', () => {
  expect(isImeKey({ isComposing: true, keyCode: 27 })).toBe(true)
  expect(isImeKey({ isComposing: false, keyCode: 229 })).toBe(true)
  expect(isImeKey({ isComposing: false, keyCode: 27 })).toBe(false)
})
