import { expect, test } from 'vitest'
import { ApiError } from './api-error.ts'
import { createTurns } from './turns.ts'

test('as many as there are places work at a time, the others wait, and whoever finds the queue full is sent away', async () => {
  const turns = createTurns(1, 1)
  const first = Promise.withResolvers<string>()
  const started: string[] = []
  const take = (name: string, work: () => Promise<string>) =>
    turns(() => {
      started.push(name)
      return work()
    })
  const running = take('first', () => first.promise)
  const waiting = take('second', async () => 'second')
  await expect(take('third', async () => 'third')).rejects.toThrow(ApiError)
  expect(started).toEqual(['first'])
  first.resolve('first')
  expect(await Promise.all([running, waiting])).toEqual(['first', 'second'])
  expect(await take('fourth', async () => 'fourth')).toBe('fourth')
})
