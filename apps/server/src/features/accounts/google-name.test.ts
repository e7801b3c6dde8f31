import { expect, test } from 'vitest'
import fc from 'fast-check'
import { username } from '@shinobi/contract/accounts'
import { isReservedName } from './reserved-names.ts'
import { proposeNames } from './google-name.ts'

const isAllowed = (name: string): boolean => !isReservedName(name)
const propose = (given: string, count = 2): string[] => [...proposeNames(given, isAllowed).take(count)]

test('a name that our rules let pass is proposed as it is, then with something random behind', () => {
  const [first, second, third] = propose('服部 半蔵', 3)
  expect(first).toBe('服部 半蔵')
  expect(second).toMatch(/^服部 半蔵_[a-z2-9]{5}$/)
  expect(third).not.toBe(second)
})

test.each([
  ['a mail address', 'kaede@example.jp', /^kaedeexample\.jp$/],
  ['directions and controls', '\u202Eedeak\u0000\u2066', /^edeak$/],
  ['a short name', '楓', /^楓_[a-z2-9]{5}$/],
  ['a long name', '寿限無寿限無五劫の擦り切れ海砂利水魚の', /^寿限無寿限無五劫の擦り切れ海砂利水魚の$/],
  ['a longer name', '寿限無寿限無五劫の擦り切れ海砂利水魚の水行末', /^寿限無寿限無五劫の擦り切れ海砂利水魚の水$/],
  ['more bytes than a name may have', '👨‍👩‍👧'.repeat(30), /^忍者_[a-z2-9]{5}$/],
  ['nothing', '', /^忍者_[a-z2-9]{5}$/],
  ['blanks', ' 　\u200B ', /^忍者_[a-z2-9]{5}$/],
  ['marks without end', `a${'\u0301'.repeat(50)}bc`, /^忍者_[a-z2-9]{5}$/],
  ['the name of the staff', '管理人', /^忍者_[a-z2-9]{5}$/],
])('of %s comes what can be borne', (_, given, expected) => {
  expect(propose(given, 1)[0]).toMatch(expected)
})

test('whatever Google says, a member can bear what is proposed', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' })), (given) => {
      for (const name of propose(given, 3)) expect(username.parse(name)).toBe(name)
    }),
  )
})
