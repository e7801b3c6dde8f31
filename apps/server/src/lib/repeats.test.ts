import { describe, expect, it } from 'vitest'
import { createRepeats, IDS_MAX, type Summary } from './repeats.ts'

describe('repeated log lines', () => {
  function open() {
    const clock = { now: 0 }
    const told: [what: string, Summary][] = []
    let waiting: { at: number; work: () => void }[] = []
    const repeats = createRepeats<string>({
      windowMs: 10_000,
      tell: (what, summary) => told.push([what, summary]),
      now: () => clock.now,
      schedule: (work, ms) => waiting.push({ at: clock.now + ms, work }),
    })
    const see = (key: string, id: string | null = null, ms: number | null = null) => repeats.see(key, key, id, ms)
    const pass = (ms: number): void => {
      clock.now += ms
      const due = waiting.filter(({ at }) => at <= clock.now)
      waiting = waiting.filter(({ at }) => at > clock.now)
      for (const { work } of due) work()
    }
    return { told, repeats, see, pass, waiting: () => waiting.length }
  }

  it('are logged at once the first time, and counted until the window ends', () => {
    const { told, see, pass } = open()
    expect([see('away'), see('away'), see('away'), see('other')]).toEqual([true, false, false, true])
    pass(9_999)
    expect(told).toEqual([])
    pass(1)
    expect(told).toEqual([['away', { count: 2, seconds: 10, ids: [], slowestMs: null }]])
  })

  it('are logged once per window while they continue, and at once again after a pause', () => {
    const { told, see, pass, waiting } = open()
    see('away')
    for (let second = 0; second < 35; second += 1) {
      for (let count = 0; count < 70; count += 1) expect(see('away')).toBe(false)
      pass(1_000)
    }
    pass(10_000)
    expect(told.map(([, { count }]) => count)).toEqual([700, 700, 700, 350])
    pass(10_000)
    expect(waiting()).toBe(0)
    expect(see('away')).toBe(true)
  })

  it('keeps the ids of the first repeats, and the time of the slowest', () => {
    const { told, see, pass } = open()
    see('failed', 'first', 900)
    for (let count = 0; count < IDS_MAX + 3; count += 1) see('failed', `id-${count}`, count)
    pass(10_000)
    const [[, { ids, count, slowestMs }]] = told as [[string, Summary]]
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([IDS_MAX, 'id-0', `id-${IDS_MAX - 1}`])
    expect([count, slowestMs]).toEqual([IDS_MAX + 3, IDS_MAX + 2])
  })

  it('use limited memory for any number of kinds, and are all reported', () => {
    const { told, see, waiting } = open()
    see('old')
    see('old')
    for (let kind = 0; kind < 500; kind += 1) expect(see(`kind ${kind}`)).toBe(true)
    expect(told).toEqual([['old', expect.objectContaining({ count: 1 })]])
    expect(waiting()).toBe(501)
  })

  it('are reported at the end of the process, once', () => {
    const { told, repeats, see, pass } = open()
    see('away')
    see('away')
    pass(3_000)
    repeats.flush()
    repeats.flush()
    expect(told).toEqual([['away', { count: 1, seconds: 3, ids: [], slowestMs: null }]])
  })
})
