import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createGroupCommit, type GroupCommitOptions } from './group-commit.ts'

/** A group commit whose work ends when the test ends it. */
function open(options: Partial<GroupCommitOptions<string>> = {}) {
  const done: string[][] = []
  let finish = Promise.withResolvers<void>()
  const groups = createGroupCommit<string>({
    groupMax: 10,
    waitingMax: 10,
    ...options,
    work: async (group) => {
      done.push([...group])
      await finish.promise
    },
  })
  return {
    groups,
    done,
    finish: async () => {
      finish.resolve()
      finish = Promise.withResolvers<void>()
      for (let tick = 0; tick < 5; tick += 1) await Promise.resolve()
    },
  }
}

test('items added during a batch wait together for the next one', async () => {
  const { groups, done, finish } = open()
  for (const item of ['a', 'b']) groups.add(item)
  await Promise.resolve()
  for (const item of ['c', 'd', 'e']) groups.add(item)
  expect(done).toEqual([['a', 'b']])
  await finish()
  expect(done).toEqual([
    ['a', 'b'],
    ['c', 'd', 'e'],
  ])
  const settled = groups.settle()
  await finish()
  await settled
})

test('a batch has no more items than allowed, in order', async () => {
  const { groups, done, finish } = open({ groupMax: 2 })
  for (const item of ['a', 'b', 'c']) groups.add(item)
  await Promise.resolve()
  await finish()
  await finish()
  expect(done).toEqual([['a', 'b'], ['c']])
})

test('of items with one key the first is in the next batch, the others in later ones, in order', async () => {
  const { groups, done, finish } = open({ keyOf: (item) => item[0]! })
  for (const item of ['a1', 'b1', 'a2', 'a3', 'b2']) groups.add(item)
  await Promise.resolve()
  await finish()
  await finish()
  await finish()
  expect(done).toEqual([['a1', 'b1'], ['a2', 'b2'], ['a3']])
})

test('an item is refused at once when too many wait', async () => {
  const { groups, done, finish } = open({ groupMax: 1, waitingMax: 2 })
  groups.add('a')
  await Promise.resolve()
  groups.add('b')
  groups.add('c')
  expect(() => groups.add('d')).toThrow(ApiError)
  await finish()
  groups.add('e')
  await finish()
  await finish()
  await finish()
  expect(done.flat()).toEqual(['a', 'b', 'c', 'e'])
})

test('each track has one batch at a time, with the items of one lane in their order', async () => {
  const { groups, done, finish } = open({
    laneOf: (item) => item[0]!,
    trackOf: (item) => (item.startsWith('c') ? 'east' : 'west'),
  })
  for (const item of ['a1', 'b1', 'c1', 'a2']) groups.add(item)
  await Promise.resolve()
  expect(done).toEqual([['a1', 'a2'], ['c1']])
  for (const item of ['a3', 'c2', 'a4']) groups.add(item)
  await Promise.resolve()
  expect(done.length).toBe(2)
  await finish()
  // Of a track, the lane that waited longest comes first.
  expect(done.slice(2)).toEqual([['b1'], ['c2']])
  await finish()
  expect(done.slice(4)).toEqual([['a3', 'a4']])
  const settled = groups.settle()
  await finish()
  await settled
  expect(groups.stats()).toEqual({ waiting: 0, groups: 5, items: 7 })
})
