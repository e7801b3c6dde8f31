import type { Core } from '../../core.ts'
import type { Admission } from '../admission/admission.service.ts'
import type { Bans } from '../bans/bans.service.ts'
import type { LiveSettings } from '../settings/settings.service.ts'

export interface ReportsDeps extends Core {
  readonly settings: LiveSettings
  readonly bans: Bans
  readonly admission: Admission
}
