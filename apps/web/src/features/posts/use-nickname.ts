import { findComplaint, nicknameWords } from '@shinobi/contract/complaints'
import { NICKNAME } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { generateNinjaName } from '@shinobi/contract/ninja-name'
import { cleanName } from '@shinobi/contract/text'
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { checkNickname } from './api.ts'
import { chooseName, chosenName, namesElsewhere, subscribeNames, type ChosenName } from './nickname.ts'

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
  readonly elsewhere: readonly string[]
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
  const [elsewhere, setElsewhere] = useState<readonly string[]>([])
  const propose = useCallback(() => setProposal(generateNinjaName()), [])

  useEffect(() => {
    if (!needed) return
    propose()
    setElsewhere(namesElsewhere(threadId, ELSEWHERE_MAX))
  }, [threadId, needed, propose])

  const confirm = useCallback(
    async (typed: string) => {
      const wanted = cleanName(typed)
      const complaint = findComplaint(wanted, NICKNAME, 'line', nicknameWords)
      if (complaint !== null) return complaint
      try {
        const { available, message } = await checkNickname(threadId, wanted)
        if (!available) return message || messages.nickname_taken
      } catch (error) {
        const said = error instanceof ApiError && error.fromServer ? error.message : null
        return said ?? messages.nickname_check_failed
      }
      chooseName(threadId, wanted)
      return null
    },
    [threadId],
  )
  const putAway = useCallback(() => chooseName(threadId, null), [threadId])

  return { chosen, proposal, elsewhere, propose, confirm, putAway }
}
