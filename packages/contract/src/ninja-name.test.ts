import { NICKNAME, USERNAME } from './limits.ts'
import { countGraphemes } from './text.ts'
import { expect, test } from 'vitest'
import { generateNinjaName } from './ninja-name.ts'

test('a nickname is an adjective, a noun, _ and five characters that cannot be confused', () => {
  for (let round = 0; round < 500; round += 1) {
    const name = generateNinjaName()
    expect(name).toMatch(/^[^_]{2,}_[a-hjkmnp-z2-9]{5}$/u)
    expect(countGraphemes(name)).toBeLessThanOrEqual(Math.min(NICKNAME.max, USERNAME.max))
  }
})

test('the longest words still fit', () => {
  const longest = (below: number) => (below === 31 ? 0 : 10)
  expect(countGraphemes(generateNinjaName(longest))).toBeLessThanOrEqual(NICKNAME.max)
})

test('two nicknames are hardly ever the same', () => {
  expect(new Set(Array.from({ length: 200 }, () => generateNinjaName())).size).toBe(200)
})
