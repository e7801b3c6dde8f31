import type { Board } from './board.ts'

/** For a board's settings; `scrape` sends it. */
export const METRICS_TOKEN = 'a-token-for-the-scraper'

/** The parsed answer of /metrics. */
export interface Scrape {
  /** All metrics, with or without a value, with their type. */
  readonly types: ReadonlyMap<string, string>
  /** Values by name and labels as they are written: `shinobi_waiting{queue="posts"}`. */
  readonly figures: ReadonlyMap<string, number>
}

export async function scrape(board: Board): Promise<Scrape> {
  const { body } = await board.app.inject({ url: '/metrics', headers: { authorization: `Bearer ${METRICS_TOKEN}` } })
  return readScrape(body)
}

export function readScrape(body: string): Scrape {
  const lines = body.split('\n')
  const types = lines.filter((line) => line.startsWith('# TYPE ')).map((line) => line.split(' ').slice(2))
  const figures = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))] as const)
  return { types: new Map(types as [string, string][]), figures: new Map(figures) }
}
