/** Requests at a steady rate, as from visitors: a slow answer does not delay the next request. */
import { Agent, request } from 'node:http'
import { answerCalls } from '../lib/worker.ts'

export interface PacedHttp {
  readonly url: string
  readonly perSecond: number
  readonly seconds: number
  readonly headers: Readonly<Record<string, string>>
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 })

/** Resolves with the milliseconds since the request was due. */
function ask(url: string, headers: PacedHttp['headers'], due: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  request(url, { agent, headers }, (response) => {
    if (response.statusCode !== 200) reject(new Error(`${url} answered ${response.statusCode}`))
    response.on('end', () => resolve(performance.now() - due)).resume()
  })
    .on('error', reject)
    .end()
  return promise
}

export const calls = answerCalls({
  /** @returns milliseconds of every answer */
  async run({ url, perSecond, seconds, headers }: PacedHttp): Promise<number[]> {
    const start = performance.now()
    const answers: Promise<number>[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    // Several may be due at once when this process was delayed: their wait counts.
    const timer = setInterval(() => {
      const due = Math.min(perSecond * seconds, Math.floor(((performance.now() - start) / 1_000) * perSecond) + 1)
      while (answers.length < due) answers.push(ask(url, headers, start + (answers.length / perSecond) * 1_000))
      if (answers.length === perSecond * seconds) resolve()
    }, 1)
    await promise
    clearInterval(timer)
    return Promise.all(answers)
  },
})
