import type { verify } from '@shinobi/contract/accounts'
import type { AnswerOf } from '@shinobi/contract/common'
import { apiSend } from '../../lib/api-client.ts'
import { enterSession, sessionState } from './session.ts'

/** Reloads the user after the member's rights changed; a failure changes nothing. */
export async function reloadUser(): Promise<void> {
  try {
    const { user } = await apiSend<AnswerOf<typeof verify>>('POST', '/auth/verify', {}, { background: true })
    if (sessionState().user?._id === user._id) enterSession(user)
  } catch {
    // An expired session is reported elsewhere (onSessionLost).
  }
}
