import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createBackground } from './background.ts'

test('background work can be awaited, and its errors are logged without further effect', async () => {
  const log = pino({ level: 'silent' })
  const error = vi.spyOn(log, 'error')
  const background = createBackground(log)
  const done: string[] = []
  background.run(async () => void done.push('one'))
  background.run(async () => {
    throw new Error('failed')
  })
  background.run(async () => void done.push('two'))
  await background.settle()
  expect(done).toEqual(['one', 'two'])
  expect(error).toHaveBeenCalledOnce()
})

test('a stop finishes work under way, does not wait for work that never ends, and accepts no more', async () => {
  vi.useFakeTimers()
  const background = createBackground(pino({ level: 'silent' }))
  const done: string[] = []
  background.run(() => new Promise(() => {}))
  background.run(async () => void done.push('under way'))
  const closed = background.close()
  background.run(async () => void done.push('too late'))
  await vi.advanceTimersByTimeAsync(3_000)
  await closed
  expect(done).toEqual(['under way'])
  vi.useRealTimers()
})
