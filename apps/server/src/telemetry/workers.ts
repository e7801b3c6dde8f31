/** Figures of all processes of a machine (WEB_CONCURRENCY), whichever of them is asked: the one that looks after them adds them up. */
import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, type Registry } from 'prom-client'

/** A worker's question, and the answer. */
interface Question {
  readonly type: 'shinobi:metrics'
  readonly id: number
}
interface Answer extends Question {
  readonly text: string | null
}

const isOurs = (message: unknown): message is Question =>
  (message as { type?: unknown } | null)?.type === 'shinobi:metrics'

/** In the process that looks after the others: answers them. */
export function addUpWorkers(): void {
  const registry = new AggregatorRegistry()
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (!isOurs(message)) return
    const answer = (text: string | null): void => {
      if (worker.isConnected()) worker.send({ ...message, text } satisfies Answer)
    }
    registry.clusterMetrics().then(answer, () => answer(null))
  })
}

/**
 * In a worker: gives its figures to the sum, and answers how to ask for that.
 * @throws Error from what it answers, while a process is only starting, or does not answer within some seconds
 */
export function askForSum(own: Registry): () => Promise<string> {
  AggregatorRegistry.setRegistries([own])
  // Made for its listener alone: it answers whoever adds up.
  void new AggregatorRegistry()
  const waiting = new Map<number, (text: string | null) => void>()
  let asked = 0
  process.on('message', (message: unknown) => {
    if (!isOurs(message)) return
    const { id, text } = message as Answer
    waiting.get(id)?.(text)
    waiting.delete(id)
  })
  return async () => {
    const id = (asked += 1)
    const text = await new Promise<string | null>((resolve) => {
      waiting.set(id, resolve)
      process.send!({ type: 'shinobi:metrics', id } satisfies Question)
    })
    if (text === null) throw new Error('not all processes told their figures')
    return text
  }
}
