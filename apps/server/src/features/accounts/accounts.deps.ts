import type { Core } from '../../core.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import type { BannedWords } from '../words/word-verdicts.service.ts'
import type { AccountLimits } from './account-limits.ts'
import type { VerifyGoogleToken } from './google-token.ts'
import type { Mails } from './mails.service.ts'

export interface AccountsDeps extends Core {
  readonly settings: LiveSettings
  readonly words: BannedWords
  readonly accountLimits: AccountLimits
  /** Null without GOOGLE_CLIENT_ID. */
  readonly verifyGoogleToken: VerifyGoogleToken | null
  /** Null without SMTP_URL. */
  readonly mails: Mails | null
}
