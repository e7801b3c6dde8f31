import type { User } from '@shinobi/contract/accounts'
import { apiSend } from './api-client.ts'
import { enterSession, sessionState } from './session.ts'

/** Asks again who this is, where what the member may do has changed; a failure changes nothing. */
export async function reloadUser(): Promise<void> {
  try {
    const { user } = await apiSend<{ user: User }>('POST', '/auth/verify', {}, { background: true })
    if (sessionState().user?._id === user._id) enterSession(user)
  } catch {
    // A session that is over says so by itself (onSessionLost).
  }
}
