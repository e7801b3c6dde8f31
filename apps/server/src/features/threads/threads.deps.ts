import type { Core } from '../../core.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { Admission } from '../admission/admission.service.ts'
import type { Holding } from '../admission/holding.ts'
import type { Levels } from '../levels/levels.service.ts'
import type { Trips } from '../posters/trips.ts'
import type { SearchIndexer } from '../search/search.indexer.ts'
import type { Searches } from '../search/searches.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { ThreadEvents } from './thread-events.ts'

export interface ThreadsDeps extends Core {
  readonly settings: LiveSettings
  readonly words: BannedWords
  readonly search: SearchIndexer
  readonly searches: Searches
  readonly images: ImageStore
  readonly admission: Admission
  readonly holding: Holding
  readonly threadEvents: ThreadEvents
  readonly levels: Levels
  readonly trips: Trips
}
