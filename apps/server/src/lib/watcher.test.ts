import { expect, it, vi } from 'vitest'
import { createWatcher } from './watcher.ts'

function watch(look: () => Promise<void>) {
  const warn = vi.fn()
  return { warn, watcher: createWatcher({ name: 'the gate', everyMs: 3_600_000, look, log: { warn } }) }
}

it('looks once more for all who ask while it looks, and never twice at a time', async () => {
  let looks = 0
  let atATime = 0
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { watcher } = watch(async () => {
    atATime += 1
    expect(atATime).toBe(1)
    await gates[looks++]!.promise
    atATime -= 1
  })
  const asked = [watcher.look(), watcher.look(), watcher.look()]
  gates[0]!.resolve()
  gates[1]!.resolve()
  await Promise.all(asked)
  expect(looks).toBe(2)
  await watcher.close()
})

it('says that a look failed, and looks again', async () => {
  const look = vi.fn().mockRejectedValueOnce(new Error('closed')).mockResolvedValue(undefined)
  const { warn, watcher } = watch(look)
  await watcher.look()
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'could not look at the gate')
  await watcher.look()
  expect([look.mock.calls.length, warn.mock.calls.length]).toEqual([2, 1])
  await watcher.close()
})

it('waits for the look under way when it is closed, and looks no more', async () => {
  let looks = 0
  const gate = Promise.withResolvers<void>()
  const { watcher } = watch(async () => {
    looks += 1
    await gate.promise
  })
  void watcher.look()
  void watcher.look()
  const closing = watcher.close()
  gate.resolve()
  await closing
  await watcher.look()
  expect(looks).toBe(1)
})
