import type { Core } from '../../core.ts'
import type { Bans } from '../bans/bans.service.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { Levels } from './levels.service.ts'

export interface LevelsDeps extends Core {
  readonly settings: LiveSettings
  readonly bans: Bans
  readonly levels: Levels
}
