import { expect, test } from 'vitest'
import { timeOfId, uuidV7 } from './uuid-v7.ts'

test('an id is a UUIDv7 that starts with the milliseconds of its creation', () => {
  const id = uuidV7(0x0199_1234_5678)
  expect(id).toMatch(/^01991234-5678-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(timeOfId(id)).toBe(0x0199_1234_5678)
  expect(uuidV7()).not.toBe(uuidV7())
})
