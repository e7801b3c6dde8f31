import type { Core } from '../../core.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import type { News } from './news.service.ts'

export interface NewsDeps extends Core {
  readonly settings: LiveSettings
  readonly words: BannedWords
  readonly threadEvents: ThreadEvents
  readonly news: News
}
