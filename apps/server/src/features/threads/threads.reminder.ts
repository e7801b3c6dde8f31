import type { Core } from '../../core.ts'
import { isDatabaseAway } from '../../lib/api-error.ts'
import { selectThreadStates } from './threads.queries.ts'

const THREADS_AT_ONCE = 500
/** Delay of a retry while the database is unavailable. */
const AGAIN_AFTER_MS = 1_000

/**
 * Sends the current state of each open thread to the clients on this server, once the database is
 * available. Call it when announcements of other servers may have been missed: a client that lacks
 * posts fetches them.
 */
export function remindReaders(deps: Pick<Core, 'db' | 'live' | 'background'>, afterMs = 0): void {
  deps.background.run(async () => {
    try {
      await remindOnce(deps)
    } catch (error) {
      if (!isDatabaseAway(error)) throw error
      remindReaders(deps, AGAIN_AFTER_MS)
    }
  }, afterMs)
}

async function remindOnce({ db, live }: Pick<Core, 'db' | 'live'>): Promise<void> {
  const open = live.openThreads()
  for (let from = 0; from < open.length; from += THREADS_AT_ONCE) {
    const states = await selectThreadStates(db, open.slice(from, from + THREADS_AT_ONCE))
    for (const { id, postCount, revision } of states) live.remind({ threadId: id, postCount, revision })
  }
}
