import type { Deps } from '../../deps.ts'
import { isDatabaseAway } from '../../lib/api-error.ts'
import { selectThreadStates } from './threads.queries.ts'

const THREADS_AT_ONCE = 500
/** While the database is away it is asked again after so long. */
const AGAIN_AFTER_MS = 1_000

/**
 * Tells everybody with a thread open on this server where it stands, as soon as the database is there. For when other servers' news may have been
 * missed: who lacks something fetches it.
 */
export function remindReaders(deps: Pick<Deps, 'db' | 'live' | 'background'>, afterMs = 0): void {
  deps.background.run(async () => {
    try {
      await remindOnce(deps)
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      remindReaders(deps, AGAIN_AFTER_MS)
    }
  }, afterMs)
}

async function remindOnce({ db, live }: Pick<Deps, 'db' | 'live'>): Promise<void> {
  const open = live.openThreads()
  for (let from = 0; from < open.length; from += THREADS_AT_ONCE) {
    const states = await selectThreadStates(db, open.slice(from, from + THREADS_AT_ONCE))
    for (const { id, postCount, revision } of states) live.remind({ threadId: id, postCount, revision })
  }
}
