import { expect, test, vi } from 'vitest'
import { refuse } from './api-error.ts'
import { answerOnce } from './answer-once.ts'

const taken = () => Promise.reject(refuse('taken', 'client_id_reused'))
const violation = () => Promise.reject(Object.assign(new Error('duplicate key'), { code: '23505' }))

test('the first sending is processed, without a look-up of an earlier one', async () => {
  const find = vi.fn(async () => 'earlier')
  expect(await answerOnce({ find, askFirst: false }, async () => 'new')).toBe('new')
  expect(find).not.toHaveBeenCalled()
})

test('an expensive sending gets the earlier result, and is not processed again', async () => {
  const work = vi.fn(async () => 'new')
  expect(await answerOnce({ find: async () => 'earlier', askFirst: true }, work)).toBe('earlier')
  expect(work).not.toHaveBeenCalled()
  expect(await answerOnce({ find: async () => undefined, askFirst: true }, work)).toBe('new')
})

test.each([
  ['a refusal', taken],
  ['a unique violation', violation],
])('%s is replaced by the earlier result, and is thrown where there is none', async (_, work) => {
  expect(await answerOnce({ find: async () => 'earlier', askFirst: false }, work)).toBe('earlier')
  await expect(answerOnce({ find: async () => undefined, askFirst: false }, work)).rejects.toHaveProperty('code')
})

test('an error that is no refusal is thrown without a look-up', async () => {
  const find = vi.fn(async () => 'earlier')
  const broken = () => Promise.reject(new Error('connection lost'))
  await expect(answerOnce({ find, askFirst: false }, broken)).rejects.toThrow('connection lost')
  expect(find).not.toHaveBeenCalled()
})
