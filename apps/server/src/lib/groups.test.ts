import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createGroups } from './groups.ts'

/** Groups whose work ends when the test says so. */
function open(options: { groupMax?: number; waitingMax?: number; keyOf?: (item: string) => string } = {}) {
  const done: string[][] = []
  let finish = Promise.withResolvers<void>()
  const groups = createGroups<string>({
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

test('what comes while a group is under way waits together for the next', async () => {
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

test('a group is no larger than allowed, and keeps the order', async () => {
  const { groups, done, finish } = open({ groupMax: 2 })
  for (const item of ['a', 'b', 'c']) groups.add(item)
  await Promise.resolve()
  await finish()
  await finish()
  expect(done).toEqual([['a', 'b'], ['c']])
})

test('of items with one key the first goes at once, the others later in their order', async () => {
  const { groups, done, finish } = open({ keyOf: (item) => item[0]! })
  for (const item of ['a1', 'b1', 'a2', 'a3', 'b2']) groups.add(item)
  await Promise.resolve()
  await finish()
  await finish()
  await finish()
  expect(done).toEqual([['a1', 'b1'], ['a2', 'b2'], ['a3']])
})

test('who finds too many waiting is sent away at once', async () => {
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
