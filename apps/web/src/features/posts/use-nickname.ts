import { NICKNAME } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { generateNinjaName } from '@shinobi/contract/ninja-name'
import { cleanName, findProblem, type TextProblem } from '@shinobi/contract/text'
import { useCallback, useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { checkNickname } from './api.ts'
import { storeNickname, storedNickname } from './nickname.ts'

/** A proposal that is taken is replaced; with a million suffixes this many in a row means something else is wrong. */
const PROPOSALS_MAX = 5

const problems: Readonly<Record<TextProblem, string>> = {
  blank: messages.nickname_required,
  too_short: messages.nickname_required,
  too_long: messages.nickname_too_long,
  bad_characters: messages.nickname_bad_characters,
}

export interface Nickname {
  /** Confirmed, or kept from earlier in this tab; null while the visitor has none. */
  readonly name: string | null
  /** What the generator suggests; '' until the page runs. */
  readonly proposal: string
  /**
   * The name under which the live line opens: confirmed, or a proposal the server has answered for. Before that answer the
   * browser may have no visitor cookie, and the line would post as somebody else, who then owns the name.
   */
  readonly known: string | null
  /** Storage was looked at. */
  readonly ready: boolean
  /** Another proposal; resolves with a message when it could not be checked. */
  readonly propose: () => Promise<string | null>
  /** Resolves with a message when the name cannot be used. */
  readonly confirm: (typed: string) => Promise<string | null>
}

/**
 * The nickname of an anonymous visitor in one thread (SPEC §4). Nothing is asked for, or of the
 * server, before it is `needed`.
 * @param open whether the board takes writes: else the server would refuse to look at a proposal
 */
export function useNickname(threadId: string, needed: boolean, open: boolean): Nickname {
  const [name, setName] = useState<string | null>(null)
  const [proposal, setProposal] = useState('')
  const [checked, setChecked] = useState<string | null>(null)
  const [ready, setReady] = useState(false)
  /** A name the server called free. */
  const free = useRef<string | null>(null)

  const propose = useCallback(async () => {
    for (let round = 0; round < PROPOSALS_MAX; round += 1) {
      const candidate = generateNinjaName()
      setProposal(candidate)
      try {
        const answer = await checkNickname(threadId, candidate)
        setChecked(candidate)
        if (!answer.available) continue
        free.current = candidate
        return null
      } catch {
        return messages.nickname_check_failed
      }
    }
    return messages.nickname_taken
  }, [threadId])

  useEffect(() => {
    if (!needed) return
    const stored = storedNickname(threadId)
    if (stored !== null) setName(stored)
    else if (open && free.current === null) void propose()
    setReady(true)
  }, [threadId, needed, open, propose])

  const confirm = useCallback(
    async (typed: string) => {
      const wanted = cleanName(typed)
      const problem = findProblem(wanted, NICKNAME, 'line')
      if (problem !== null) return problems[problem]
      if (wanted !== free.current) {
        try {
          const { available, message } = await checkNickname(threadId, wanted)
          if (!available) return message || messages.nickname_taken
        } catch (error) {
          const said = error instanceof ApiError && error.fromServer ? error.message : null
          return said ?? messages.nickname_check_failed
        }
      }
      storeNickname(threadId, wanted)
      setName(wanted)
      return null
    },
    [threadId],
  )

  return { name, proposal, known: name ?? checked, ready, propose, confirm }
}
