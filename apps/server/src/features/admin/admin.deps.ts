import type { Core } from '../../core.ts'
import type { Searches } from '../search/searches.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'

export interface AdminDeps extends Core {
  readonly settings: LiveSettings
  readonly searches: Searches
  readonly threadEvents: ThreadEvents
}
