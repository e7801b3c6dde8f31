import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createWorkerThread, type WorkerThread } from './worker-thread.ts'

const TIMEOUT_MS = 10_000

let thread: WorkerThread<number | string, number>
beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(async () => {
  await thread.close()
  vi.useRealTimers()
})

function open(script: 'echo' | 'stuck') {
  thread = createWorkerThread({
    script: () => fileURLToPath(new URL(`testing/${script}-worker.ts`, import.meta.url)),
    ...{ timeoutMs: TIMEOUT_MS, idleMs: 60_000, memoryMb: 64, youngMemoryMb: 8 },
  })
  return thread
}

/** Asks, and lets so much time pass before the thread can have done anything. */
async function askAndWait(question: number | string, waitedMs: number): Promise<number> {
  const asking = thread.ask(question)
  asking.catch(() => {})
  // The question's turn comes in a microtask.
  await Promise.resolve()
  vi.advanceTimersByTime(waitedMs)
  return asking
}

describe('a worker thread', () => {
  it('may take longer to start than an answer may take', async () => {
    open('echo')
    expect(await askAndWait(1, 2 * TIMEOUT_MS)).toBe(1)
  })

  it('that has started is ended by an answer that takes too long, and the next question starts another', async () => {
    open('echo')
    expect(await thread.ask(1)).toBe(1)
    await expect(askAndWait('never', TIMEOUT_MS)).rejects.toMatchObject({ reason: 'late' })
    expect(await thread.ask(2)).toBe(2)
  })

  it('that does not start is ended, and says that it is no fault of the question', async () => {
    open('stuck')
    await expect(askAndWait(1, 60_000)).rejects.toMatchObject({ reason: 'ended', message: 'did not start' })
  })
})
