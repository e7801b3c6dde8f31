import { NICKNAME, USERNAME } from './limits.ts'
import { countGraphemes } from './text.ts'
import { expect, test } from 'vitest'
import { generateNinjaName } from './ninja-name.ts'

test('a name is an adjective, a noun, _ and five unambiguous characters', () => {
  for (let round = 0; round < 500; round += 1) {
    expect(generateNinjaName()).toMatch(/^[^_]{2,}_[a-hjkmnp-z2-9]{5}$/u)
  }
})

test('every combination of words fits the limits of a nickname and of a member’s name', () => {
  const names = new Set<string>()
  for (let adjective = 0; adjective < 40; adjective += 1) {
    for (let noun = 0; noun < 40; noun += 1) {
      const picks = [adjective, noun]
      const name = generateNinjaName((below) => (picks.shift() ?? 0) % below)
      expect(countGraphemes(name)).toBeLessThanOrEqual(Math.min(NICKNAME.max, USERNAME.max))
      names.add(name)
    }
  }
  // This counts the words that were picked, without the random characters behind them.
  expect(names.size).toBeGreaterThan(20 * 20)
})

test('two generated names hardly ever collide', () => {
  expect(new Set(Array.from({ length: 200 }, () => generateNinjaName())).size).toBe(200)
})
