import type { User } from '@shinobi/contract/accounts'
import { createContext, use, useSyncExternalStore } from 'react'
import { LOADING, LOGGED_OUT, sessionState, subscribeSession, type SessionState } from './session.ts'

/**
 * The server's knowledge when it rendered the page: false when the browser has no session cookie,
 * true when it has one, null on pages that are the same for all visitors.
 */
export const SessionHintContext = createContext<boolean | null>(null)

/**
 * The session. On the server and while hydrating it is `loading`, or `out` where the server knew.
 */
export function useSession(): SessionState {
  const hint = use(SessionHintContext)
  return useSyncExternalStore(subscribeSession, sessionState, () => (hint === false ? LOGGED_OUT : LOADING))
}

/** The member, once that is certain; null otherwise. */
export function useMember(): User | null {
  const { status, user } = useSession()
  return status === 'in' ? user : null
}
