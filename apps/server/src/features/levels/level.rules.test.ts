import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LEVEL_MAX } from '@shinobi/contract/limits'
import {
  afterPost,
  afterRemoval,
  afterRestoration,
  joinLevels,
  levelOf,
  NO_LEVEL,
  type LevelRow,
} from './level.rules.ts'

const dayOf = (index: number): string => new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10)

/** Posts on each of so many days. */
const postDaily = (days: number, row: LevelRow = NO_LEVEL, from = 0): LevelRow =>
  Array.from({ length: days }, (_, index) => dayOf(from + index)).reduce(afterPost, row)

describe('a level', () => {
  it('rises when a day with posts is over, by one however many they were', () => {
    const row = afterPost(afterPost(NO_LEVEL, dayOf(0)), dayOf(0))
    expect(levelOf(row, dayOf(0))).toBe(0)
    expect(levelOf(row, dayOf(1))).toBe(1)
    expect(levelOf(row, dayOf(300))).toBe(1)
    expect(levelOf(postDaily(4), dayOf(4))).toBe(4)
  })

  it('does not rise by a day without posts, and stops at the highest', () => {
    expect(levelOf(afterPost(postDaily(2), dayOf(9)), dayOf(10))).toBe(3)
    expect(levelOf(postDaily(50), dayOf(50))).toBe(LEVEL_MAX)
  })

  it('falls by one with each removed post, and the day of a removal does not lift it', () => {
    const row = afterRemoval(postDaily(5), dayOf(5), 2)
    expect(levelOf(row, dayOf(5))).toBe(3)
    expect(levelOf(afterPost(row, dayOf(5)), dayOf(6))).toBe(3)
    expect(levelOf(afterPost(row, dayOf(6)), dayOf(7))).toBe(4)
  })

  it('of somebody whose many posts were removed takes as many clean days to begin again', () => {
    const row = afterRemoval(postDaily(3), dayOf(3), 10)
    expect(levelOf(row, dayOf(3))).toBe(0)
    expect(levelOf(postDaily(7, row, 4), dayOf(11))).toBe(0)
    expect(levelOf(postDaily(8, row, 4), dayOf(12))).toBe(1)
  })

  it('is as before when all removals are taken back, on the same day or later', () => {
    fc.assert(
      fc.property(fc.nat(30), fc.integer({ min: 1, max: 2 * LEVEL_MAX }), fc.nat(5), (days, posts, later) => {
        const before = postDaily(days)
        const removed = afterRemoval(before, dayOf(days), posts)
        const restored = afterRestoration(removed, dayOf(days + later), posts)
        expect(levelOf(restored, dayOf(days + later))).toBe(levelOf(before, dayOf(days)))
      }),
    )
  })

  it('has the clean days since a removal when it is taken back later, at once or post by post', () => {
    fc.assert(
      fc.property(
        fc.record({ days: fc.nat(8), posts: fc.integer({ min: 1, max: 6 }), since: fc.nat(6) }),
        fc.boolean(),
        fc.boolean(),
        ({ days, posts, since }, hasPost, isAtOnce) => {
          const [day, today] = [dayOf(days), dayOf(days + 1 + since)]
          const before = hasPost ? afterPost(postDaily(days), day) : postDaily(days)
          const removed = postDaily(since, afterRemoval(before, day, posts), days + 1)
          const steps = isAtOnce ? [posts] : Array.from({ length: posts }, () => 1)
          const restored = steps.reduce((row, count) => afterRestoration(row, today, count), removed)
          const unharmed = levelOf(postDaily(since, before, days + 1), today)
          // The day of the removal is known to have had a post until the next one.
          expect(levelOf(restored, today)).toBe(unharmed - (hasPost && since > 0 ? 1 : 0))
        },
      ),
    )
  })

  it('does not rise by a day without a post on which a removal was taken back', () => {
    const row = afterRestoration(afterRemoval(postDaily(5), dayOf(7), 1), dayOf(7), 1)
    expect(levelOf(row, dayOf(8))).toBe(5)
    expect(levelOf(afterPost(row, dayOf(7)), dayOf(8))).toBe(6)
  })

  it('of two browsers is never above the higher one when they are joined, and keeps the removals of both', () => {
    const rows = fc
      .tuple(fc.nat(30), fc.nat(5))
      .map(([days, removed]) => (removed === 0 ? postDaily(days) : afterRemoval(postDaily(days), dayOf(days), removed)))
    fc.assert(
      fc.property(rows, rows, (own, other) => {
        const today = dayOf(40)
        const joined = joinLevels(own, other, today)
        expect(levelOf(joined, today)).toBeLessThanOrEqual(Math.max(levelOf(own, today), levelOf(other, today)))
        expect(joined.removals).toBe(own.removals + other.removals)
      }),
    )
  })

  it('keeps the day of today when browsers are joined, unless a post of it was removed', () => {
    const today = dayOf(9)
    const written = afterPost(postDaily(3), today)
    expect(levelOf(joinLevels(NO_LEVEL, written, today), dayOf(10))).toBe(4)
    const removed = afterRemoval(NO_LEVEL, today, 1)
    expect(levelOf(joinLevels(removed, written, today), dayOf(10))).toBe(2)
  })
})
