import type { Db } from '../../db/client.ts'
import type { Core } from '../../core.ts'
import type { Searches } from '../search/searches.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'

export interface AdminDeps extends Core {
  readonly settings: LiveSettings
  readonly searches: Searches
  readonly threadEvents: ThreadEvents
  readonly news: {
    /** Moves the sources and the stories of a category, in a transaction. @returns how many each */
    moveCategory(tx: Db, from: string, to: string): Promise<{ sources: number; stories: number }>
  }
}
