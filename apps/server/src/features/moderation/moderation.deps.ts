import type { Core } from '../../core.ts'
import type { Bans } from '../bans/bans.service.ts'
import type { IpLogging } from '../ip-logging/ip-logging.service.ts'
import type { RemovedImages } from '../posts/removed-images.ts'
import type { SearchIndexer } from '../search/search.indexer.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'

export interface ModerationDeps extends Core {
  readonly settings: LiveSettings
  readonly search: SearchIndexer
  readonly bans: Bans
  readonly threadEvents: ThreadEvents
  readonly ipLogging: IpLogging
  readonly removedImages: RemovedImages
}
