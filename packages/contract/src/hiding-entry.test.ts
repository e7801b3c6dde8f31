import fc from 'fast-check'
import { expect, test } from 'vitest'
import { asOf, isStorableText, mergeHiding, targetKey, type HidingEntry, type HidingTraits } from './hiding-entry.ts'
import { HIDING_TEXT } from './limits.ts'

const traits: fc.Arbitrary<HidingTraits> = fc.record({
  chain: fc.boolean(),
  traceless: fc.boolean(),
  endsAt: fc.option(fc.integer({ min: 0, max: 3 })),
})
/** Few values, so that targets and moments meet. */
const entry: fc.Arbitrary<HidingEntry> = fc.record({
  kind: fc.constantFrom('word', 'name'),
  text: fc.constantFrom('宣伝', '影丸'),
  threadId: fc.constantFrom(null, '01900000-0000-7000-8000-000000000001'),
  traits: fc.option(traits),
  changedAt: fc.integer({ min: 0, max: 3 }),
})
const device = fc.array(entry, { maxLength: 8 })

test('what devices know together does not depend on the order in which they meet', () => {
  fc.assert(
    fc.property(device, device, device, (a, b, c) => {
      expect(mergeHiding(a, b)).toEqual(mergeHiding(b, a))
      expect(mergeHiding(mergeHiding(a, b), c)).toEqual(mergeHiding(a, mergeHiding(b, c)))
      const all = mergeHiding(a, b)
      expect(mergeHiding(all, b)).toEqual(all)
      expect(mergeHiding(all, all)).toEqual(all)
    }),
  )
})

test('no target is lost, and of each the newest change stays', () => {
  fc.assert(
    fc.property(device, device, (a, b) => {
      const merged = new Map(mergeHiding(a, b).map((one) => [targetKey(one), one]))
      const known = Map.groupBy([...a, ...b], targetKey)
      expect(new Set(merged.keys())).toEqual(new Set(known.keys()))
      for (const [key, { changedAt }] of merged)
        expect(changedAt).toBe(Math.max(...known.get(key)!.map((one) => one.changedAt)))
    }),
  )
})

test('a removed rule stays removed, unless it is made again later', () => {
  fc.assert(
    fc.property(device, entry, (known, { kind, text, threadId, changedAt }) => {
      const removal: HidingEntry = { kind, text, threadId, changedAt, traits: null }
      const found = mergeHiding(known, [removal]).find((one) => targetKey(one) === targetKey(removal))!
      expect(found.traits === null || found.changedAt > changedAt).toBe(true)
    }),
  )
})

test('a rule that has ended counts as removed, and wins over what it replaced', () => {
  const rule = { kind: 'word', text: '宣伝', threadId: null } as const
  const plain = { chain: false, traceless: false }
  const before: HidingEntry = { ...rule, changedAt: 1, traits: { ...plain, endsAt: null } }
  const limited: HidingEntry = { ...rule, changedAt: 2, traits: { ...plain, endsAt: 10 } }
  expect(asOf(limited, 9)).toEqual(limited)
  expect(asOf(limited, 10)).toEqual({ ...limited, traits: null })
  expect(mergeHiding([before], [asOf(limited, 10)])).toEqual([{ ...limited, traits: null }])
  expect(mergeHiding([limited], [asOf(limited, 10)])).toEqual([{ ...limited, traits: null }])
})

test('a text is storable if it is as short as a form takes it, and whole', () => {
  expect(isStorableText('宣'.repeat(HIDING_TEXT.max))).toBe(true)
  expect(isStorableText('😀'.repeat(HIDING_TEXT.max))).toBe(true)
  for (const text of ['', 'a\0b', '\ud83d', 'a'.repeat(HIDING_TEXT.maxBytes + 1)])
    expect(isStorableText(text)).toBe(false)
})
