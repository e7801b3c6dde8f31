import { describe, expect, it } from 'vitest'
import { beatEveryMs, createHeartbeats } from './heartbeats.ts'

describe('heartbeats', () => {
  const timeoutMs = 30_000
  const everyMs = beatEveryMs(timeoutMs)
  function open() {
    const clock = { now: 1_000 }
    const heartbeats = createHeartbeats<string>({ timeoutMs, everyMs, now: () => clock.now })
    /** Checks at the regular interval, while these processes run. */
    const pass = (ms: number, running: readonly string[]): string[] => {
      const hung: string[] = []
      for (const until = clock.now + ms; clock.now < until;) {
        clock.now += everyMs
        for (const process of running) heartbeats.hear(process)
        hung.push(...heartbeats.findHung())
      }
      return hung
    }
    return { clock, heartbeats, pass }
  }

  it('detect a process that is silent for longer than the time-out, once, and no other', () => {
    const { heartbeats, pass } = open()
    for (const process of ['first', 'second']) heartbeats.hear(process)
    expect(pass(timeoutMs, ['second'])).toEqual([])
    expect(pass(everyMs, ['second'])).toEqual(['first'])
    expect(pass(2 * timeoutMs, ['second'])).toEqual([])
  })

  it('give a starting process a minute more, and count from its first heartbeat once it is open', () => {
    const { heartbeats, pass } = open()
    heartbeats.hearStarting('slow')
    expect(pass(60_000 + timeoutMs, [])).toEqual([])
    expect(pass(everyMs, [])).toEqual(['slow'])
    heartbeats.hearStarting('open')
    heartbeats.hear('open')
    expect(pass(timeoutMs + everyMs, [])).toEqual(['open'])
  })

  it('forget a process that has ended', () => {
    const { heartbeats, pass } = open()
    heartbeats.hear('ended')
    heartbeats.forget('ended')
    expect(pass(2 * timeoutMs, [])).toEqual([])
  })

  it('ignore time in which the machine slept, and detect a hanging process after it', () => {
    const { clock, heartbeats, pass } = open()
    for (const process of ['first', 'second']) heartbeats.hear(process)
    clock.now += 8 * 3_600_000
    expect(heartbeats.findHung()).toEqual([])
    expect(pass(timeoutMs, ['second'])).toEqual([])
    expect(pass(everyMs, ['second'])).toEqual(['first'])
  })
})
