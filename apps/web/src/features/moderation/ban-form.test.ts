import { messages } from '@shinobi/contract/messages'
import { expect, test } from 'vitest'
import { findBanProblem, hitBy, hoursOf, toTerms, usualKinds, type BanDraft } from './ban-form.ts'

const draft: BanDraft = { on: new Set(['visitor']), scope: 'site', hours: undefined, reason: '荒らし', note: '' }
const preview = {
  standing: [],
  kinds: [
    { kind: 'user' as const, possible: false, posters: 0 },
    { kind: 'visitor' as const, possible: true, posters: 1 },
    { kind: 'network' as const, possible: true, posters: 12 },
  ],
}

test('a ban of a network ends after a day by default, others after a week', () => {
  expect(hoursOf(draft)).toBe(168)
  expect(hoursOf({ ...draft, on: new Set(['visitor', 'network']) })).toBe(24)
  expect(hoursOf({ on: new Set(['network']), hours: null })).toBeNull()
})

test('the narrowest possible kind is proposed, and the count is that of the widest selected kind', () => {
  expect([...usualKinds(preview)]).toEqual(['visitor'])
  expect(hitBy(preview, new Set(['visitor']))).toBe(1)
  expect(hitBy(preview, new Set(['visitor', 'network']))).toBe(12)
  expect(hitBy(preview, new Set(['user']))).toBe(0)
})

test('a ban without a reason is refused, because banned visitors see the reason', () => {
  expect(findBanProblem(draft)).toBeNull()
  expect(findBanProblem({ ...draft, reason: ' 　' })).toBe(messages.reason_required)
  expect(findBanProblem({ ...draft, note: 'あ'.repeat(201) })).toBe(messages.reason_too_long)
  expect(findBanProblem({ ...draft, on: new Set() })).not.toBeNull()
  expect(toTerms({ ...draft, reason: ' 荒らし ' })).toEqual({
    on: ['visitor'],
    scope: 'site',
    reason: '荒らし',
    note: '',
    hours: 168,
  })
})
