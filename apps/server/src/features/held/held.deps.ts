import type { Core } from '../../core.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { Bans } from '../bans/bans.service.ts'
import type { Levels } from '../levels/levels.service.ts'
import type { PostWriter } from '../posts/posts.writer.ts'
import type { SearchIndexer } from '../search/search.indexer.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { Shields } from '../shields/shields.service.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'

export interface HeldDeps extends Core {
  readonly settings: LiveSettings
  readonly words: BannedWords
  readonly search: SearchIndexer
  readonly images: ImageStore
  readonly bans: Bans
  readonly shields: Shields
  readonly levels: Levels
  readonly postWriter: PostWriter
  readonly threadEvents: ThreadEvents
}
