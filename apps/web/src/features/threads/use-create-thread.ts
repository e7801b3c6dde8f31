/**
 * A new thread from its draft to its category's list: checks the draft, sends it once, and reports
 * failures (docs/product.md#new-thread).
 */
import { contentWords, findComplaint, titleWords } from '@shinobi/contract/complaints'
import { POST, TITLE } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { cleanBody, cleanLine } from '@shinobi/contract/text'
import { cleanNameWithKey, findNameComplaint } from '@shinobi/contract/trip'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState, type RefObject } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { paths } from '../../app/paths.ts'
import { ApiError } from '../../lib/api-client.ts'
import { rememberHeld, type HeldItem } from '../held/held.ts'
import { useCountdown } from '../../lib/use-countdown.ts'
import { changeDraft, useDraft } from '../../lib/use-draft.ts'
import { writerNow } from '../accounts/session.ts'
import { useLeadBack } from '../accounts/use-lead-back.ts'
import { useSession } from '../accounts/use-session.ts'
import { uuidV7 } from '../../lib/uuid-v7.ts'
import { rememberOwnThread } from '../reading/own-posts.ts'
import { withProof } from '../shields/with-proof.ts'
import { useTimedNotice } from '../../ui/notice.tsx'
import { forgetThreadLists, threadKeys } from './api.ts'
import type { ThreadArrival } from './arrival-notice.tsx'
import { createThread } from './create-thread.ts'
import { addShared, readShared } from './shared-text.ts'

/**
 * `id` is the clientThreadId: it is stored with the draft, so that sending again after a lost
 * answer creates no second thread.
 */
const EMPTY = { title: '', content: '', nickname: '', category: '', id: '' }
export type ThreadDraft = typeof EMPTY

/** Puts the text of a thread that was not opened back into the form, after what is there. */
export const putThreadBack = ({ title, content, name, place }: HeldItem): void =>
  changeDraft('thread', EMPTY, (draft) => ({
    ...addShared(draft, { title: title ?? '', content }),
    nickname: draft.nickname === '' ? (name ?? '') : draft.nickname,
    category: place,
    id: '',
  }))

/** The thread that a new one continues (次スレ), and what the form contains at first. */
export interface Continued {
  readonly threadId: string
  readonly title: string
  readonly content: string
  /** Name of the category. */
  readonly category: string
  /** Another thread continues it already: this one gets no link. */
  readonly hasNext: boolean
}

export type ThreadField = 'title' | 'content' | 'nickname' | 'category'
export type ThreadProblems = Partial<Record<ThreadField, string>>

/** The problems of a draft, field by field. */
export function findThreadProblems(draft: Omit<ThreadDraft, 'id'>): ThreadProblems {
  const problems: ThreadProblems = {}
  const title = findComplaint(cleanLine(draft.title), TITLE, 'line', titleWords)
  const content = findComplaint(cleanBody(draft.content), POST, 'body', contentWords)
  const nickname = draft.nickname === '' ? null : findNameComplaint(draft.nickname)
  if (title !== null) problems.title = title
  if (content !== null) problems.content = content
  if (nickname !== null) problems.nickname = nickname
  if (draft.category === '') problems.category = messages.category_required
  return problems
}

const LASTING: ReadonlySet<string> = new Set(['banned', 'locked', 'has_next', 'spam'])

/** The message for a thread that could not be created. */
export function failureMessage(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.thread_create_unknown
  if (error.code === 'network' || error.code === 'aborted') return messages.thread_create_network
  const namesReason = error.fromServer && error.code !== 'unexpected'
  return namesReason ? messages.thread_create_failed(error.message) : messages.thread_create_unknown
}

/** A thread that is on the screen is fetched again. */
const forgetThread = (client: QueryClient, threadId: string): Promise<void> =>
  client.invalidateQueries({ queryKey: threadKeys.detail(threadId) })

/**
 * Called when a visitor without an account has opened a thread, or one was approved; `nickname` is
 * as typed, with the key of a tripcode, and '' for none.
 */
export type OnOpened = (threadId: string, nickname: string) => void

interface CreateThreadOptions {
  proposedCategory: string
  /** The thread to continue; the caller uses its id as the form's key. */
  continued: Continued | null
  /** Has the fields of a draft by their names. */
  form: RefObject<HTMLFormElement | null>
  onOpened: OnOpened
}

export function useCreateThread({ proposedCategory, continued, form, onOpened }: CreateThreadOptions) {
  // Each next thread has a draft of its own, which begins with its title and the link.
  const [beginning] = useState(() => {
    if (continued === null) return { key: 'thread', fields: EMPTY }
    const { threadId, title, content, category } = continued
    return { key: `thread:${threadId}`, fields: { ...EMPTY, title, content, category } }
  })
  const { value: draft, update: updateDraft, clear, restored, early } = useDraft(beginning.key, beginning.fields, form)
  const [problems, setProblems] = useState<ThreadProblems>({})
  const { notice, show, clear: clearNotice } = useTimedNotice()
  const [progress, setProgress] = useState<number | null>(null)
  const wait = useCountdown()
  const [proving, setProving] = useState(false)
  /** A message that must not disappear by itself, such as a ban; some do with the countdown. */
  const [lasting, setLasting] = useState<{ readonly message: string; readonly untilOver: boolean } | null>(null)
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

  const [parameters] = useSearchParams()
  useEffect(() => {
    const shared = restored && continued === null ? readShared(parameters) : null
    if (shared === null) return
    updateDraft({ ...addShared({ title: draft.title, content: draft.content }, shared), id: '' })
    // A reload shows the draft as it was edited since.
    void navigate(paths.create(), { replace: true })
  }, [restored, continued, parameters, draft.title, draft.content, updateDraft, navigate])

  // A category alone is no draft: a visitor who comes from another category wants that one.
  const begun = draft.title !== '' || draft.content !== ''
  const [chosen, setChosen] = useState<string | null>(null)
  const category = chosen ?? early.category ?? (begun && draft.category !== '' ? draft.category : proposedCategory)

  const update = useCallback(
    (patch: Partial<ThreadDraft>) => {
      if (patch.category !== undefined) setChosen(patch.category)
      updateDraft(patch)
      // A message disappears as soon as its field is edited.
      setProblems((before) => {
        const left = { ...before }
        for (const field of Object.keys(patch)) delete left[field as ThreadField]
        return left
      })
    },
    [updateDraft],
  )

  const leadBack = useLeadBack((message) => setLasting({ message, untilOver: false }))
  const deliver = async (image: File | null, asStaff: boolean, clientThreadId: string) => {
    try {
      const { title, content, nickname } = draft
      const input = {
        title: cleanLine(title),
        content: cleanBody(content),
        // A member posts under the profile name; the draft may contain an earlier nickname.
        nickname: isGuest ? cleanNameWithKey(nickname) : '',
      }
      const previousThreadId = continued === null || continued.hasNext ? null : continued.threadId
      const sent = await withProof(
        () =>
          createThread(
            { ...input, category, image, asStaff, clientThreadId, previousThreadId },
            { onProgress: setProgress },
          ),
        setProving,
      )
      if (previousThreadId !== null) await forgetThread(queryClient, previousThreadId)
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
      if (!('held' in sent)) rememberOwnThread(sent)
      if (!('held' in sent) && isGuest) onOpened(sent._id, input.nickname)
      clear()
      await forgetThreadLists(queryClient)
      if (mounted.current) {
        const state: ThreadArrival = { made: 'held' in sent ? null : sent._id }
        await navigate(paths.category('held' in sent ? category : sent.category), { state })
      }
    } catch (error) {
      // The id was used for another text, or the name is taken: no thread was created under it, so
      // the next attempt gets a new id.
      if (error instanceof ApiError && error.status === 409) updateDraft({ id: '' })
      // The page then shows the link to the next thread that somebody else has opened.
      if (error instanceof ApiError && error.code === 'has_next' && continued !== null) {
        await forgetThread(queryClient, continued.threadId)
      }
      const seconds = error instanceof ApiError && error.status === 429 ? error.retryAfter : null
      if (seconds !== null) wait.start(seconds)
      const isEnded = error instanceof ApiError && error.code === 'unauthorized'
      if (isEnded && mounted.current && leadBack(image !== null)) return
      if (error instanceof ApiError && LASTING.has(error.code)) {
        setLasting({ message: failureMessage(error), untilOver: seconds !== null })
      } else if (error instanceof ApiError && error.message === messages.nickname_taken) {
        setProblems({ nickname: error.message })
        form.current?.querySelector<HTMLElement>('[name="nickname"]')?.focus()
      } else show(failureMessage(error))
    } finally {
      underWay.current = false
      setProgress(null)
    }
  }

  /**
   * Sends the draft, or returns the first invalid field. Does nothing while a submission is
   * pending.
   */
  const send = (image: File | null, asStaff: boolean): ThreadField | null => {
    if (underWay.current || wait.left > 0) return null
    const found = findThreadProblems({ ...draft, category, ...(!isGuest && { nickname: '' }) })
    setProblems(found)
    clearNotice()
    setLasting(null)
    const [first] = Object.keys(found) as ThreadField[]
    // One notice for the whole form, in addition to the messages of the fields.
    const isEmpty = found.title === messages.title_required || found.content === messages.content_required
    if (isEmpty) show(messages.title_and_content_required)
    if (first !== undefined) return first
    if (leadBack(image !== null)) return null
    if (writerNow() === undefined) {
      show(messages.session_unknown)
      return null
    }
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
    lasting: lasting === null || (lasting.untilOver && wait.left === 0) ? null : lasting.message,
    proving,
    /** Seconds until the server accepts another thread. */
    wait: wait.left,
    progress,
    sending: progress !== null,
    update,
    /** The draft is loaded, including text typed before the script ran. */
    restored,
    send,
  }
}
