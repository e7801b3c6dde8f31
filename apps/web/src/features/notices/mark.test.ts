import { expect, test } from 'vitest'
import { markOf } from './mark.ts'

test('equal texts have equal marks, others differ, and a mark is valid in a selector', () => {
  expect(markOf('今夜3時から点検します')).toBe(markOf('今夜3時から点検します'))
  expect(markOf('今夜3時から点検します')).not.toBe(markOf('今夜4時から点検します'))
  for (const text of ['', 'a', '"]{}', '忍'.repeat(200)]) expect(markOf(text)).toMatch(/^[0-9a-z]{1,7}$/)
})
