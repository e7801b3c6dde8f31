import { messages } from '@shinobi/contract/messages'
import { expect, test } from 'vitest'
import { findBanProblems, hitBy, hoursOf, toTerms, usualKinds, type BanDraft } from './ban-form.ts'

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
  const none = { on: null, reason: null, note: null }
  expect(findBanProblems(draft)).toEqual(none)
  expect(findBanProblems({ ...draft, reason: ' 　' })).toEqual({ ...none, reason: messages.reason_required })
  expect(findBanProblems({ ...draft, note: 'あ'.repeat(201) })).toEqual({ ...none, note: messages.reason_too_long })
  expect(findBanProblems({ ...draft, on: new Set() })).toEqual({ ...none, on: expect.any(String) })
  expect(toTerms({ ...draft, reason: ' 荒らし ' })).toEqual({
    on: ['visitor'],
    scope: 'site',
    reason: '荒らし',
    note: '',
    hours: 168,
  })
})
