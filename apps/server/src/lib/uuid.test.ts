import { expect, it } from 'vitest'
import { UUID, uuidv7, uuidv7Floor } from './uuid.ts'

it('ids sort by their time, and within a millisecond by the order of creation', () => {
  const ids = [1_000, 1_000, 1_000, 1_001, 1_764_000_000_000, 1_764_000_000_000].map((time) => uuidv7(time))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

it('ids of one millisecond sort by the order of creation, also by the tens of thousands', () => {
  const ids = Array.from({ length: 20_000 }, () => uuidv7(1_764_000_000_000))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
})

it('ids are version 7 of the RFC variant, and not below the floor of their time', () => {
  const id = uuidv7(1_764_000_000_123)
  expect(id).toMatch(UUID)
  expect(id[14]).toBe('7')
  expect('89ab').toContain(id[19])
  expect(id >= uuidv7Floor(1_764_000_000_123)).toBe(true)
  expect(id < uuidv7Floor(1_764_000_000_124)).toBe(true)
})
