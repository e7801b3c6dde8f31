import type { User } from '@shinobi/contract/accounts'
import { createContext, use, useSyncExternalStore } from 'react'
import { LOADING, LOGGED_OUT, sessionState, subscribeSession, type SessionState } from './session.ts'

/**
 * The server's knowledge when it rendered the page: false when the browser has no session cookie,
 * true when it has one, null on pages that are the same for all visitors.
 */
export const SessionHintContext = createContext<boolean | null>(null)

/**
 * A part of the session. On the server and while hydrating the session is `loading`, or `out` where
 * the server knew. The component is rendered again when its part changes: not when it turns out,
 * on every page, that a visitor has no session.
 */
function useFromSession<T>(select: (session: SessionState) => T): T {
  const hint = use(SessionHintContext)
  return useSyncExternalStore(
    subscribeSession,
    () => select(sessionState()),
    () => select(hint === false ? LOGGED_OUT : LOADING),
  )
}

export const useSession = (): SessionState => useFromSession((session) => session)

/** The member, once that is certain; null otherwise. */
export const useMember = (): User | null => useFromSession(({ status, user }) => (status === 'in' ? user : null))

/** The id of the member, also of a probable one; undefined without. */
export const useUserId = (): string | undefined => useFromSession(({ user }) => user?._id)
