import type { Board } from './board.ts'

/** Goes into a board's settings; the token that `scrape` shows. */
export const METRICS_TOKEN = 'a-token-for-the-scraper'

/** What /metrics answers. */
export interface Scrape {
  /** Metrics that exist, whether or not they have a figure yet, with their type. */
  readonly types: ReadonlyMap<string, string>
  /** Figures, by name and labels as they stand there: `shinobi_waiting{queue="posts"}`. */
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
