import { Counter, Gauge, type Histogram } from 'prom-client'
import type { Metrics } from '../http/metrics.ts'

/** One number, or one for each value of the label; null where there is nothing to tell. */
type Reading = number | Readonly<Record<string, number>> | null

export interface Figure {
  readonly name: string
  readonly help: string
  /** Name of the label whose values are the keys of what is read. */
  readonly label?: string
  /** Called at each scrape. Who counts keeps plain integers, so that counting costs it next to nothing. */
  readonly read: () => Reading
}

/** Figures that only grow, from the start of the process. */
export function addCounters(metrics: Metrics, figures: readonly Figure[]): void {
  for (const { name, help, label, read } of figures) {
    const metric = new Counter({
      ...{ name, help, registers: [], labelNames: label === undefined ? [] : [label] },
      collect() {
        this.reset()
        for (const [labels, value] of readingsOf(label, read())) this.inc(labels, value)
      },
    })
    metrics.registerMetric(metric)
  }
}

/**
 * Figures that go up and down.
 * @param aggregator what several processes have together: the sum of theirs, the largest, or the
 *   smallest
 */
export function addGauges(metrics: Metrics, aggregator: 'sum' | 'max' | 'min', figures: readonly Figure[]): void {
  for (const { name, help, label, read } of figures) {
    const metric = new Gauge({
      ...{ name, help, aggregator, registers: [], labelNames: label === undefined ? [] : [label] },
      collect() {
        this.reset()
        for (const [labels, value] of readingsOf(label, read())) this.set(labels, value)
      },
    })
    metrics.registerMetric(metric)
  }
}

/**
 * A histogram without labels for what happens thousands of times a second: prom-client's own takes a microsecond for each value.
 * @param buckets upper bounds, from the smallest
 * @returns counts a value
 */
export function addHistogram(
  metrics: Metrics,
  { name, help, buckets }: Pick<Figure, 'name' | 'help'> & { readonly buckets: readonly number[] },
): (value: number) => void {
  const counts = new Float64Array(buckets.length + 1)
  let sum = 0
  function valuesOf() {
    let count = 0
    const bounds = [...buckets, '+Inf']
    const values = bounds.map((le, index) => {
      count += counts[index]!
      return { metricName: `${name}_bucket`, labels: { le }, value: count }
    })
    return [
      ...values,
      { metricName: `${name}_sum`, labels: {}, value: sum },
      { metricName: `${name}_count`, labels: {}, value: count },
    ]
  }
  // All that a registry asks of a metric, here and when it puts those of several processes together.
  const metric = {
    ...{ name, help, type: 'histogram', aggregator: 'sum' },
    get: async () => ({ name, help, type: 'histogram', aggregator: 'sum', values: valuesOf() }),
  }
  metrics.registerMetric(metric as unknown as Histogram)
  return (value) => {
    let bucket = 0
    while (bucket < buckets.length && value > buckets[bucket]!) bucket += 1
    counts[bucket]! += 1
    sum += value
  }
}

function readingsOf(label: string | undefined, reading: Reading): [labels: Record<string, string>, value: number][] {
  if (reading === null) return []
  if (typeof reading === 'number') return [[{}, reading]]
  return Object.entries(reading).map(([value, figure]) => [{ [label!]: value }, figure])
}
