/** The handbook and the dashboard name the metrics of a real board. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBoard, type Board } from '../testing/board.ts'
import { METRICS_TOKEN, scrape } from '../testing/scrape.ts'

const read = (path: string): string => readFileSync(resolve(import.meta.dirname, '../../../..', path), 'utf8')

let board: Board
let types: ReadonlyMap<string, string>
beforeAll(async () => {
  board = await openBoard({ METRICS_TOKEN })
  types = (await scrape(board)).types
})
afterAll(() => board.close())

it('docs/telemetry.md has a line for each metric of the board, with its type, and for no other', () => {
  const lines = [...read('docs/telemetry.md').matchAll(/^\| `(shinobi_\w+)` \| (\w+) \|/gm)]
  const real = [...types].filter(([name]) => name.startsWith('shinobi_'))
  expect(Object.fromEntries(lines.map(([, name, type]) => [name, type]))).toEqual(Object.fromEntries(real))
  expect(lines).toHaveLength(real.length)
})

interface Panel {
  readonly title: string
  readonly targets?: readonly { readonly expr: string }[]
}

/** Words of an expression that are neither functions, nor labels, nor their values. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replaceAll(/\b(and|or|unless)\b/g, '')
    .replaceAll(/"[^"]*"/g, '')
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]/g, '')
    .replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
  return [...bare.matchAll(/[a-z_]\w*(?!\w|\s*\()/gi)].map(([word]) => word)
}

/** Names of the series of a board's metrics, and the metric of each. */
function seriesOf(metrics: typeof types): Map<string, string> {
  const series = new Map<string, string>()
  for (const [name, type] of metrics) {
    for (const suffix of type === 'histogram' ? ['_bucket', '_sum', '_count'] : ['']) series.set(name + suffix, name)
  }
  return series
}

it("the dashboard's panels name only existing metrics, and every metric of the board", () => {
  const { panels, templating } = JSON.parse(read('ops/grafana/shinobi-ita.json')) as {
    panels: readonly Panel[]
    templating: { list: readonly { name: string; definition?: string }[] }
  }
  const series = seriesOf(types)
  const used = new Set<string>()
  for (const { title, targets = [] } of panels) {
    for (const { expr } of targets) {
      const names = metricsIn(expr)
      expect({ title, hasMetrics: names.length > 0 }).toEqual({ title, hasMetrics: true })
      for (const name of names) {
        expect([...series.keys()]).toContain(name)
        used.add(series.get(name)!)
      }
    }
  }
  expect([...types.keys()].filter((name) => name.startsWith('shinobi_') && !used.has(name))).toEqual([])
  const [metric] = /(?<=label_values\()\w+/.exec(templating.list.find(({ name }) => name === 'instance')!.definition!)!
  expect(series.has(metric)).toBe(true)
})

it('the alert rules name only existing metrics', () => {
  const expressions = [...read('ops/alerts.yml').matchAll(/^ +expr: (.+)$/gm)].map(([, expr]) => expr!)
  expect(expressions.length).toBeGreaterThan(10)
  // Prometheus itself provides `up`.
  const known = new Set([...seriesOf(types).keys(), 'up'])
  const named = expressions.map((expr) => ({ expr, names: metricsIn(expr) }))
  expect(named.filter(({ names }) => names.length === 0 || names.some((name) => !known.has(name)))).toEqual([])
})

it('expressions are parsed as Prometheus does', () => {
  expect(metricsIn('sum by (le, route) (rate(a_total{x="b_total"}[$__rate_interval])) / sum(b)')).toEqual([
    'a_total',
    'b',
  ])
  expect(metricsIn('topk(10, histogram_quantile(0.95, sum by (le) (rate(c_bucket[1h]))))')).toEqual(['c_bucket'])
})
