/**
 * Merges the metrics of all processes of a machine (WEB_CONCURRENCY), whichever of them is scraped:
 * the primary asks each worker and adds up the answers that come in time, so that a hanging worker
 * does not block the metrics of the others.
 */
import cluster, { type Worker } from 'node:cluster'
import { AggregatorRegistry, Registry } from 'prom-client'
import type { Supervisor } from '../process/supervisor.ts'
import { addCounters, addGauges } from './figures.ts'

/** A worker asks for the sum, or the primary asks a worker for its own metrics. */
interface Question {
  readonly type: 'shinobi:sum' | 'shinobi:figures'
  readonly id: number
}
interface SumAnswer extends Question {
  readonly text: string
}
interface FiguresAnswer extends Question {
  readonly figures: Figures
}
type Figures = Awaited<ReturnType<Registry['getMetricsAsJSON']>>

/**
 * Prometheus' default time-out of a scrape is 10 seconds; a worker that is merely busy answers
 * within this time.
 */
const ANSWER_WITHIN_MS = 2_000
/** The primary answers within `ANSWER_WITHIN_MS`; one that does not is stopped. */
const SUM_WITHIN_MS = 2 * ANSWER_WITHIN_MS

/**
 * The two metrics about the workers themselves. A process that serves alone counts as one that
 * answers.
 */
export function addWorkerFigures(
  metrics: Registry,
  read: () => { readonly answering: number; readonly silent: number; readonly replaced: Supervisor['replaced'] },
): void {
  addGauges(metrics, 'sum', [
    {
      name: 'shinobi_workers',
      help: 'Processes that serve: answering (their figures are in this scrape), silent (hung or very busy: only their counters are, as they last told them)',
      label: 'state',
      read: () => {
        const { answering, silent } = read()
        return { answering, silent }
      },
    },
  ])
  addCounters(metrics, [
    {
      name: 'shinobi_workers_replaced_total',
      help: 'Workers replaced: ended (died), hung (killed by the primary after WORKER_TIMEOUT_SECONDS), reload (rolling restart)',
      label: 'reason',
      read: () => read().replaced,
    },
  ])
}

const isOfType = <T extends Question>(message: unknown, type: T['type']): message is T =>
  (message as { type?: unknown } | null)?.type === type

/** In the primary: answers workers that ask for the sum. */
export function addUpWorkers(supervisor: Pick<Supervisor, 'open' | 'replaced'>): void {
  /**
   * The last answer of each worker, and the counters of ended ones: a sum must not decrease when a
   * worker is replaced.
   */
  const last = new Map<number, Figures>()
  let ended = Promise.resolve<Figures>([])
  const waiting = new Map<number, (figures: Figures) => void>()
  let asked = 0
  let silent = 0
  const own = new Registry()
  addWorkerFigures(own, () => ({ answering: 0, silent, replaced: supervisor.replaced }))

  function ask(worker: Worker): Promise<Figures | null> {
    const id = (asked += 1)
    const { promise, resolve } = Promise.withResolvers<Figures | null>()
    waiting.set(id, resolve)
    const timer = setTimeout(() => resolve(null), ANSWER_WITHIN_MS)
    if (worker.isConnected()) worker.send({ type: 'shinobi:figures', id } satisfies Question, () => {})
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }

  async function addUp(): Promise<string> {
    const answers = await Promise.all(
      supervisor.open().map(async (worker) => ({ id: worker.id, figures: await ask(worker) })),
    )
    silent = answers.filter(({ figures }) => figures === null).length
    const parts = answers.map(({ id, figures }) => figures ?? countersOf(last.get(id) ?? []))
    for (const { id, figures } of answers) if (figures !== null && cluster.workers?.[id]) last.set(id, figures)
    return AggregatorRegistry.aggregate([...parts, await ended, await own.getMetricsAsJSON()]).metrics()
  }

  cluster.on('exit', ({ id }: Worker) => {
    const figures = last.get(id)
    if (figures === undefined) return
    last.delete(id)
    ended = ended.then((before) => AggregatorRegistry.aggregate([before, countersOf(figures)]).getMetricsAsJSON())
  })
  cluster.on('message', (worker: Worker, message: unknown) => {
    if (isOfType<FiguresAnswer>(message, 'shinobi:figures')) waiting.get(message.id)?.(message.figures)
    if (!isOfType<Question>(message, 'shinobi:sum')) return
    void (async () => {
      const text = await addUp()
      if (worker.isConnected()) worker.send({ ...message, text } satisfies SumAnswer, () => {})
    })()
  })
}

/** Counters and histograms of ended workers stay valid; their gauges do not. */
const countersOf = (figures: Figures): Figures => figures.filter(({ type }) => String(type) !== 'gauge')

/**
 * In a worker: contributes its metrics to the sum, and returns a function that asks for the sum.
 * @throws Error from that function, when the primary does not answer in time
 */
export function askForSum(own: Registry): () => Promise<string> {
  const waiting = new Map<number, (text: string) => void>()
  let asked = 0
  const send = (message: object): void => void process.send!(message, undefined, undefined, () => {})
  process.on('message', (message: unknown) => {
    if (isOfType<SumAnswer>(message, 'shinobi:sum')) waiting.get(message.id)?.(message.text)
    if (!isOfType<Question>(message, 'shinobi:figures')) return
    void (async () => send({ ...message, figures: await own.getMetricsAsJSON() } satisfies FiguresAnswer))()
  })
  return async () => {
    const id = (asked += 1)
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    waiting.set(id, resolve)
    const timer = setTimeout(() => reject(new Error('the primary process did not answer')), SUM_WITHIN_MS)
    send({ type: 'shinobi:sum', id } satisfies Question)
    return promise.finally(() => {
      clearTimeout(timer)
      waiting.delete(id)
    })
  }
}
