import type { User } from '@shinobi/contract/accounts'
import { createContext, use, useSyncExternalStore } from 'react'
import { LOADING, LOGGED_OUT, sessionState, subscribeSession, type SessionState } from './session.ts'

/**
 * What the server knew when it rendered the page: false when the browser has no session, true when it says it has one, null on
 * pages that are the same for everybody.
 */
export const SessionHintContext = createContext<boolean | null>(null)

/** Who is logged in. On the server and while hydrating it is `loading`, or `out` where the server could tell. */
export function useSession(): SessionState {
  const hint = use(SessionHintContext)
  return useSyncExternalStore(subscribeSession, sessionState, () => (hint === false ? LOGGED_OUT : LOADING))
}

/** The member, once that is certain; null for everybody else. */
export function useMember(): User | null {
  const { status, user } = useSession()
  return status === 'in' ? user : null
}
