import { expect, it, vi } from 'vitest'
import { createPoller } from './poller.ts'

function watch(look: () => Promise<void>) {
  const warn = vi.fn()
  return { warn, poller: createPoller({ name: 'the gate', everyMs: 3_600_000, poll: look, log: { warn } }) }
}

it('polls once more for all requests during a poll, and never twice at a time', async () => {
  let looks = 0
  let atATime = 0
  const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const { poller } = watch(async () => {
    atATime += 1
    expect(atATime).toBe(1)
    await gates[looks++]!.promise
    atATime -= 1
  })
  const asked = [poller.poll(), poller.poll(), poller.poll()]
  gates[0]!.resolve()
  gates[1]!.resolve()
  await Promise.all(asked)
  expect(looks).toBe(2)
  await poller.close()
})

it('logs a failed poll, and polls again', async () => {
  const look = vi.fn().mockRejectedValueOnce(new Error('closed')).mockResolvedValue(undefined)
  const { warn, poller } = watch(look)
  await poller.poll()
  expect(warn).toHaveBeenCalledExactlyOnceWith(expect.anything(), 'could not poll the gate')
  await poller.poll()
  expect([look.mock.calls.length, warn.mock.calls.length]).toEqual([2, 1])
  await poller.close()
})

it('waits for the poll under way when it is closed, and polls no more', async () => {
  let looks = 0
  const gate = Promise.withResolvers<void>()
  const { poller } = watch(async () => {
    looks += 1
    await gate.promise
  })
  void poller.poll()
  void poller.poll()
  const closing = poller.close()
  gate.resolve()
  await closing
  await poller.poll()
  expect(looks).toBe(1)
})
