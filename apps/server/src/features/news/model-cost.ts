/** What the calls of language models have cost, by the prices of LLM_PRICES. */
import type { NewsStatus } from '@shinobi/contract/news'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/client.ts'
import { selectTokens } from './model-calls.queries.ts'

const DAY_MS = 24 * 60 * 60_000
const MILLION = 1_000_000

/** Null where no prices are set. */
export async function readCost(db: Db, prices: Config['llmPrices'], now: number): Promise<NewsStatus['cost']> {
  if (prices === null) return null
  const to = new Date(now)
  const month = await selectTokens(db, { from: new Date(now - 30 * DAY_MS), to })
  const day = await selectTokens(db, { from: new Date(now - DAY_MS), to })
  const costOf = (used: typeof month): number =>
    used.reduce((sum, { model, inputTokens, outputTokens }) => {
      const { input, output } = prices.ofModel.get(model) ?? { input: 0, output: 0 }
      return sum + (inputTokens * input + outputTokens * output) / MILLION
    }, 0)
  return {
    currency: prices.currency,
    ...{ day: costOf(day), month: costOf(month) },
    unpriced: month.map(({ model }) => model).filter((model) => !prices.ofModel.has(model)),
  }
}
