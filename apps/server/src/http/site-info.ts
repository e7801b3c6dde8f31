import type { SiteInfo } from '@shinobi/contract/site'
import type { Config } from '../config.ts'
import { VERSION } from '../version.ts'

/** Facts about the board for every page. */
export const toSiteInfo = (config: Config): SiteInfo => ({
  publicUrl: config.publicUrl,
  contactEmail: config.contactEmail,
  version: VERSION,
  sourceUrl: config.sourceUrl,
  hostingBadge: config.hostingBadge,
  googleClientId: config.googleClientId,
  sendsMail: config.smtpUrl !== null,
})
