/** What visitors notice while a part of the board is away: who is answered, and how soon. */
import { setTimeout as sleep } from 'node:timers/promises'
import { quantile } from '../../bench/lib/stats.ts'

/** Called with each answer. */
export type Hear = (isGood: boolean, ms: number) => void

/** Asks once, and hears one or more answers. */
export type Ask = (hear: Hear) => Promise<void>

/** Answers to one kind of question. */
export interface Heard {
  good: number
  readonly times: number[]
}

export interface Watch {
  /** Asks nothing new; resolves when everything under way is answered. */
  end(): Promise<void>
}

/** Pause of each asker after an answer. */
const PAUSE_MS = 100

/**
 * Asks each question again and again.
 * @param heard gets the answers by the question's name, added to those that it has
 */
export function beginWatch(questions: ReadonlyMap<string, Ask>, heard: Map<string, Heard>): Watch {
  let isOver = false
  const askers = [...questions].map(async ([name, ask]) => {
    const answers = heard.get(name) ?? { good: 0, times: [] }
    heard.set(name, answers)
    while (!isOver) {
      await ask((isGood, ms) => {
        if (isGood) answers.good += 1
        answers.times.push(ms)
      })
      await sleep(PAUSE_MS)
    }
  })
  return {
    async end() {
      isOver = true
      await Promise.all(askers)
    },
  }
}

/** The answers as a part of a sentence. */
export function sayHeard(heard: ReadonlyMap<string, Heard>): string {
  return [...heard]
    .filter(([, { times }]) => times.length > 0)
    .map(([name, { good, times }]) => {
      const [late, longest] = [quantile(times, 0.99), Math.max(...times)].map((ms) => (ms / 1_000).toFixed(1))
      const share = ((100 * good) / times.length).toFixed(1)
      return `${name} ${good} of ${times.length} (${share} %), p99 ${late} s, longest ${longest} s`
    })
    .join('; ')
}
