import { messages } from '@shinobi/contract/messages'
import { NAMELESS } from '@shinobi/contract/nameless'
import { generateNinjaName } from '@shinobi/contract/ninja-name'
import { cleanNameWithKey, findNameComplaint, splitName } from '@shinobi/contract/trip'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { checkNickname } from './api.ts'
import {
  chooseName,
  chosenName,
  namesElsewhere,
  plainName,
  subscribeNames,
  type ChosenName,
  type WriterName,
} from './nickname.ts'

/** More would not fit into a line. */
const ELSEWHERE_MAX = 1

export interface Nickname {
  readonly chosen: ChosenName
  /**
   * The generator's suggestion; '' until the page runs. It exists only in this browser: the server
   * does not have it.
   */
  readonly proposal: string
  /** Names that this visitor used in other threads, the latest first. */
  readonly elsewhere: readonly WriterName[]
  /** Generates another proposal. */
  readonly propose: () => void
  /**
   * Takes a name once the server confirms that it is free; resolves with a message when it cannot
   * be used.
   */
  readonly confirm: (typed: string) => Promise<string | null>
  /** The visitor dismisses the question for this thread. */
  readonly putAway: () => void
}

/**
 * The nickname of an anonymous visitor in one thread. The server is asked only when a name is
 * confirmed: opening a thread makes no call that could fail, and sets no cookie.
 * @param needed whether the visitor has no account; otherwise nothing is looked up
 */
export function useNickname(threadId: string, needed: boolean): Nickname {
  const chosen = useSyncExternalStore(
    subscribeNames,
    () => chosenName(threadId),
    // The server-rendered page is the same for all visitors, so it has no name.
    () => null,
  )
  const [proposal, setProposal] = useState('')
  const [elsewhere, setElsewhere] = useState<readonly WriterName[]>([])
  const propose = useCallback(() => setProposal(generateNinjaName()), [])

  useEffect(() => {
    if (!needed) return
    propose()
    setElsewhere(namesElsewhere(threadId, ELSEWHERE_MAX))
  }, [threadId, needed, propose])

  const confirm = useCallback(
    async (typed: string) => {
      const complaint = findNameComplaint(typed)
      if (complaint !== null) return complaint
      const { name, key } = splitName(typed)
      try {
        const { available, message, trip = null } = await checkNickname(threadId, cleanNameWithKey(typed))
        if (!available) return message || messages.nickname_taken
        chooseName(threadId, { name: name === '' ? NAMELESS : name, key, trip })
        return null
      } catch (error) {
        // Without a network the server decides about the name with the first post under it. A
        // tripcode needs its answer.
        if (key === null && error instanceof ApiError && error.code === 'network' && !navigator.onLine) {
          chooseName(threadId, plainName(name === '' ? NAMELESS : name))
          return null
        }
        const said = error instanceof ApiError && error.fromServer ? error.message : null
        return said ?? messages.nickname_check_failed
      }
    },
    [threadId],
  )
  const putAway = useCallback(() => chooseName(threadId, null), [threadId])

  return { chosen, proposal, elsewhere, propose, confirm, putAway }
}
