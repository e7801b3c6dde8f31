import { NICKNAME } from '@shinobi/contract/limits'
import { countGraphemes } from '@shinobi/contract/text'
import { expect, test } from 'vitest'
import { generateNickname } from './nickname.ts'

test('a nickname is an adjective, a noun, _ and five characters that cannot be confused', () => {
  for (let round = 0; round < 500; round += 1) {
    const name = generateNickname()
    expect(name).toMatch(/^[^_]{2,}_[a-hjkmnp-z2-9]{5}$/u)
    expect(countGraphemes(name)).toBeLessThanOrEqual(NICKNAME.max)
  }
})

test('the longest words still fit', () => {
  const longest = (below: number) => (below === 31 ? 0 : 10)
  expect(countGraphemes(generateNickname(longest))).toBeLessThanOrEqual(NICKNAME.max)
})

test('two nicknames are hardly ever the same', () => {
  expect(new Set(Array.from({ length: 200 }, () => generateNickname())).size).toBe(200)
})
