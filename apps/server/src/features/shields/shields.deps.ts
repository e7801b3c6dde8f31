import type { Core } from '../../core.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { Shields } from './shields.service.ts'

export interface ShieldsDeps extends Core {
  readonly settings: LiveSettings
  readonly shields: Shields
}
