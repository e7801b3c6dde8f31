import { NICKNAME, USERNAME } from './limits.ts'
import { countGraphemes } from './text.ts'
import { expect, test } from 'vitest'
import { generateNinjaName } from './ninja-name.ts'

test('a name is an adjective, a noun, _ and five characters that cannot be confused', () => {
  for (let round = 0; round < 500; round += 1) {
    expect(generateNinjaName()).toMatch(/^[^_]{2,}_[a-hjkmnp-z2-9]{5}$/u)
  }
})

test('whichever words come together, they fit a nickname and a member’s name', () => {
  const names = new Set<string>()
  for (let adjective = 0; adjective < 40; adjective += 1) {
    for (let noun = 0; noun < 40; noun += 1) {
      const picks = [adjective, noun]
      const name = generateNinjaName((below) => (picks.shift() ?? 0) % below)
      expect(countGraphemes(name)).toBeLessThanOrEqual(Math.min(NICKNAME.max, USERNAME.max))
      names.add(name)
    }
  }
  // The picks are of the words, not of the letters behind them.
  expect(names.size).toBeGreaterThan(20 * 20)
})

test('two names are hardly ever the same', () => {
  expect(new Set(Array.from({ length: 200 }, () => generateNinjaName())).size).toBe(200)
})
