/**
 * A new thread from its draft to its category's list: checks it, sends it once, and says what failed
 * (docs/product.md#new-thread).
 */
import { contentWords, findComplaint, nicknameWords, titleWords } from '@shinobi/contract/complaints'
import { NICKNAME, POST, TITLE } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { cleanBody, cleanLine, cleanName } from '@shinobi/contract/text'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { ApiError } from '../../lib/api-client.ts'
import { rememberHeld } from '../../lib/held.ts'
import { useCountdown } from '../../lib/use-countdown.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { useSession } from '../../lib/use-session.ts'
import { uuidV7 } from '../../lib/uuid-v7.ts'
import { withProof } from '../../lib/with-proof.ts'
import { useTimedNotice } from '../../ui/notice.tsx'
import { forgetThreadLists } from './api.ts'
import type { ThreadArrival } from './arrival-notice.tsx'
import { createThread } from './create-thread.ts'

/** `id` is the clientThreadId: it stays with the draft, so that sending again after a lost answer makes no second thread. */
const EMPTY = { title: '', content: '', nickname: '', category: '', id: '' }
export type ThreadDraft = typeof EMPTY

export type ThreadField = 'title' | 'content' | 'nickname' | 'category'
export type ThreadProblems = Partial<Record<ThreadField, string>>

/** What is wrong with a draft, field by field. */
export function findThreadProblems(draft: Omit<ThreadDraft, 'id'>): ThreadProblems {
  const problems: ThreadProblems = {}
  const title = findComplaint(cleanLine(draft.title), TITLE, 'line', titleWords)
  const content = findComplaint(cleanBody(draft.content), POST, 'body', contentWords)
  const nickname =
    draft.nickname === '' ? null : findComplaint(cleanName(draft.nickname), NICKNAME, 'line', nicknameWords)
  if (title !== null) problems.title = title
  if (content !== null) problems.content = content
  if (nickname !== null) problems.nickname = nickname
  if (draft.category === '') problems.category = messages.category_required
  return problems
}

const LASTING: ReadonlySet<string> = new Set(['banned', 'locked'])

/** The words for a thread that could not be made. */
export function failureMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.thread_create_unknown
  if (error.code === 'network' || error.code === 'aborted') return messages.thread_create_network
  const namesReason = error.fromServer && error.code !== 'unexpected'
  return namesReason ? messages.thread_create_failed(error.message) : messages.thread_create_unknown
}

/** A thread is there that somebody without an account opened; `nickname` is '' for none. */
export type OnOpened = (threadId: string, nickname: string) => void

/** `form` has the fields of a draft by their names. */
export function useCreateThread(proposedCategory: string, form: RefObject<HTMLFormElement | null>, onOpened: OnOpened) {
  const { value: draft, update: updateDraft, clear, restored, early } = useDraft('thread', EMPTY, form)
  const [problems, setProblems] = useState<ThreadProblems>({})
  const { notice, show, clear: clearNotice } = useTimedNotice()
  const [progress, setProgress] = useState<number | null>(null)
  const wait = useCountdown()
  const [proving, setProving] = useState(false)
  /** What will not pass by itself, such as a ban, is read as long as it takes. */
  const [lasting, setLasting] = useState<string | null>(null)
  const underWay = useRef(false)
  const mounted = useRef(false)
  const isGuest = useSession().status === 'out'
  const queryClient = useQueryClient()
  const navigate = useNavigate()

  useEffect(() => {
    mounted.current = true
    return () => {
      mounted.current = false
    }
  }, [])

  // A category alone is no draft: who comes from another category means that one.
  const begun = draft.title !== '' || draft.content !== ''
  const [chosen, setChosen] = useState<string | null>(null)
  const category = chosen ?? early.category ?? (begun && draft.category !== '' ? draft.category : proposedCategory)

  const update = useCallback(
    (patch: Partial<ThreadDraft>) => {
      if (patch.category !== undefined) setChosen(patch.category)
      updateDraft(patch)
      // A message goes as soon as its field is being mended.
      setProblems((before) => {
        const left = { ...before }
        for (const field of Object.keys(patch)) delete left[field as ThreadField]
        return left
      })
    },
    [updateDraft],
  )

  const deliver = async (image: File | null, asStaff: boolean, clientThreadId: string) => {
    try {
      const { title, content, nickname } = draft
      const input = {
        title: cleanLine(title),
        content: cleanBody(content),
        // A member posts under the own name; the draft may hold a nickname from before.
        nickname: isGuest ? cleanName(nickname) : '',
      }
      const sent = await withProof(
        () => createThread({ ...input, category, image, asStaff, clientThreadId }, { onProgress: setProgress }),
        setProving,
      )
      if ('held' in sent) {
        const { title: heldTitle, content: heldContent, nickname: name } = input
        rememberHeld({
          id: sent.held._id,
          kind: 'thread',
          place: category,
          name: name === '' ? null : name,
          title: heldTitle,
          content: heldContent,
          hasImage: image !== null,
        })
      }
      if (!('held' in sent) && isGuest) onOpened(sent._id, input.nickname)
      clear()
      await forgetThreadLists(queryClient)
      if (mounted.current) {
        const state: ThreadArrival = { made: 'held' in sent ? null : sent._id }
        await navigate(paths.category('held' in sent ? category : sent.category), { state })
      }
    } catch (error) {
      // The id was used for other words, or the name is taken: nothing was made under it, so the next try is a new one.
      if (error instanceof ApiError && error.status === 409) updateDraft({ id: '' })
      if (error instanceof ApiError && error.status === 429 && error.retryAfter !== null) wait.start(error.retryAfter)
      if (error instanceof ApiError && LASTING.has(error.code)) setLasting(failureMessage(error))
      else show(failureMessage(error))
    } finally {
      underWay.current = false
      setProgress(null)
    }
  }

  /** Sends the draft, or returns the first field that has to be mended. Does nothing while a sending is under way. */
  const send = (image: File | null, asStaff: boolean): ThreadField | null => {
    if (underWay.current || wait.left > 0) return null
    const found = findThreadProblems({ ...draft, category, ...(!isGuest && { nickname: '' }) })
    setProblems(found)
    clearNotice()
    setLasting(null)
    const [first] = Object.keys(found) as ThreadField[]
    // One notice for the whole form, beside what each field says of itself.
    const isEmpty = found.title === messages.title_required || found.content === messages.content_required
    if (isEmpty) show(messages.title_and_content_required)
    if (first !== undefined) return first
    underWay.current = true
    setProgress(0)
    const clientThreadId = draft.id === '' ? uuidV7() : draft.id
    if (draft.id === '') updateDraft({ id: clientThreadId, category })
    void deliver(image, asStaff, clientThreadId)
    return null
  }

  return {
    draft,
    category,
    problems,
    notice,
    lasting,
    proving,
    /** Seconds until the server takes another thread. */
    wait: wait.left,
    progress,
    sending: progress !== null,
    update,
    /** The draft is there, with what was typed before the script ran. */
    restored,
    send,
  }
}
