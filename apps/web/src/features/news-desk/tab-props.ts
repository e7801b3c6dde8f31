import type { NewsStatus } from '@shinobi/contract/news'
import type { Results } from '../admin/results.tsx'

/** Props of every list of the screen. */
export interface TabProps {
  userId: string
  /** The status of the news; undefined until it is loaded. */
  status: NewsStatus | undefined
  /** Shows the results of actions. */
  results: Results
  /** Reloads everything on the screen. */
  onChanged: () => Promise<void>
}
