import type { NewsStatus } from '@shinobi/contract/news'
import type { Results } from '../../../features/admin/results.tsx'

/** What every list of the screen is given. */
export interface TabProps {
  userId: string
  /** How the news are doing; undefined until that is known. */
  status: NewsStatus | undefined
  /** Where what came of a press is told. */
  results: Results
  /** Reads everything on the screen again. */
  onChanged: () => Promise<void>
}
