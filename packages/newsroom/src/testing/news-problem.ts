import type { NewsProblem } from '@shinobi/contract/news'
import { NewsRefusal } from '../news-refusal.ts'

/** The problem of a refusal; null when the work succeeds. Other errors are rethrown. */
export async function problemOf(work: () => unknown): Promise<NewsProblem | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof NewsRefusal) return error.problem
    throw error
  }
}
