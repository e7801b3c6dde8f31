import { Counter, Gauge, type Histogram, type Registry } from 'prom-client'

/** Where features enter what they count; the names of our own begin with `shinobi_`. */
export type Metrics = Registry

/** One number, or one for each value of the label; null where there is none. */
type Reading = number | Readonly<Record<string, number>> | null

export interface Figure {
  readonly name: string
  readonly help: string
  /** Name of the label whose values are the keys of the reading. */
  readonly label?: string
  /**
   * Called at each scrape. The code that counts keeps plain integers, so that counting costs almost
   * nothing.
   */
  readonly read: () => Reading
}

/** Counters, which only grow, from the start of the process. */
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
 * Gauges.
 * @param aggregator how to merge several processes: the sum, the largest, or the smallest value
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
 * A histogram without labels for events that happen thousands of times a second: prom-client's own
 * takes a microsecond per value.
 * @param buckets upper bounds, from the smallest
 * @returns a function that counts a value
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
  // The part of a metric that a registry uses, here and when it merges those of several processes.
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
