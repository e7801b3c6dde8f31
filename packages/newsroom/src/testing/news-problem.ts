import type { NewsProblem } from '@shinobi/contract/news'
import { NewsRefusal } from '../news-refusal.ts'

/** What was in the way of news; null when nothing was. Other errors stay errors. */
export async function problemOf(work: () => unknown): Promise<NewsProblem | null> {
  try {
    await work()
    return null
  } catch (error) {
    if (error instanceof NewsRefusal) return error.problem
    throw error
  }
}
