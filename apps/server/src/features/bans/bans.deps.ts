import type { Core } from '../../core.ts'
import type { Bans } from './bans.service.ts'

export interface BansDeps extends Core {
  readonly bans: Bans
  readonly ipLogging: {
    /** The address a post came from; null when its thread is not logged. */
    findAddress(threadId: string, postId: string): Promise<string | null>
  }
}
