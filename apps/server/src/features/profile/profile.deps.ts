import type { AccountsDeps } from '../accounts/accounts.deps.ts'
import type { ImageStore } from '../images/image-store.ts'
import type { Bans } from '../bans/bans.service.ts'
import type { Departures } from './departures.service.ts'

export interface ProfileDeps extends AccountsDeps {
  readonly images: ImageStore
  readonly bans: Bans
  readonly departures: Departures
}
