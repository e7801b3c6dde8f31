import type { Core } from '../../core.ts'
import type { Admission } from '../admission/admission.service.ts'
import type { Bans } from '../bans/bans.service.ts'
import type { IpLogging } from '../ip-logging/ip-logging.service.ts'
import type { Levels } from '../levels/levels.service.ts'
import type { RemovedImages } from '../posts/removed-images.ts'
import type { SearchIndexer } from '../search/search.indexer.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'

export interface ModerationDeps extends Core {
  readonly settings: LiveSettings
  readonly search: SearchIndexer
  readonly admission: Admission
  readonly bans: Bans
  readonly levels: Levels
  readonly threadEvents: ThreadEvents
  readonly ipLogging: IpLogging
  readonly removedImages: RemovedImages
}
