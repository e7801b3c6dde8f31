import { expect, test } from 'vitest'
import { endingFrom, stageOf } from './thread-life.ts'

test('a thread nears its end from 95 % of its limit on, whatever the limit', () => {
  expect([100, 120, 180, 1_000, 10_000].map(endingFrom)).toEqual([95, 114, 171, 950, 9_500])
})

test('only the last post makes a thread a past log', () => {
  const at = (postCount: number, closedAt: string | null = null) => stageOf({ postCount, postLimit: 1_000, closedAt })
  expect([at(949), at(950), at(1_000)]).toEqual(['open', 'ending', 'ending'])
  expect(at(1_000, '2026-11-21T04:03:00.000Z')).toBe('past')
})
