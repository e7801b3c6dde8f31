import type { Deps } from '../../deps.ts'
import { selectThreadStates } from './threads.queries.ts'

const THREADS_AT_ONCE = 500

/** Tells everybody with a thread open on this server where it stands. For when other servers' news may have been missed: who lacks something fetches it. */
export async function remindReaders({ db, live }: Pick<Deps, 'db' | 'live'>): Promise<void> {
  const open = live.openThreads()
  for (let from = 0; from < open.length; from += THREADS_AT_ONCE) {
    const states = await selectThreadStates(db, open.slice(from, from + THREADS_AT_ONCE))
    for (const { id, postCount, revision } of states) live.remind({ threadId: id, postCount, revision })
  }
}
