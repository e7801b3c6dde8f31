import type { Core } from '../../core.ts'
import type { Admission } from '../admission/admission.service.ts'
import type { Bans } from '../bans/bans.service.ts'
import type { Levels } from '../levels/levels.service.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { ThreadEvents } from '../threads/thread-events.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'

export interface OwnersDeps extends Core {
  readonly settings: LiveSettings
  readonly words: BannedWords
  readonly bans: Bans
  readonly levels: Levels
  readonly admission: Admission
  readonly threadEvents: ThreadEvents
}
