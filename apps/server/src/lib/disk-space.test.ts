import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freeBytesOf, judgeSpace, type SpaceState } from './disk-space.ts'

const MIN = 500

/** The sequence of states for a sequence of free space. */
function walk(free: readonly number[], min = MIN): SpaceState[] {
  let state: SpaceState = 'enough'
  return free.map((bytes) => (state = judgeSpace(state, bytes, min)))
}

it('a disk is low below the limit, full below a quarter of it, and recovers when there is space', () => {
  expect(walk([500, 499, 125, 124, 0, 400, 900])).toEqual(['enough', 'low', 'low', 'full', 'full', 'low', 'enough'])
})

it('a disk near a limit does not alternate between states', () => {
  expect(walk([499, 501, 549, 499, 549, 550, 501])).toEqual(['low', 'low', 'low', 'low', 'low', 'enough', 'enough'])
  expect(walk([124, 126, 137, 124, 138])).toEqual(['full', 'full', 'full', 'full', 'low'])
})

it('a limit of 0 refuses nothing, however little space there is', () => {
  expect(walk([1, 0], 0)).toEqual(['enough', 'enough'])
})

it('the free space of several folders is the smallest, and a missing folder does not count', async () => {
  const here = await freeBytesOf([tmpdir()])()
  expect(here).toBeGreaterThan(0)
  expect(await freeBytesOf([tmpdir(), join(tmpdir(), 'not-there-at-all')])()).toBeLessThan(Number.MAX_SAFE_INTEGER)
  await expect(freeBytesOf([`${tmpdir()}/\0`])()).rejects.toThrow('null bytes')
})
