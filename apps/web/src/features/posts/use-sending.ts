import { contentWords, findComplaint } from '@shinobi/contract/complaints'
import { POST } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { cleanBody } from '@shinobi/contract/text'
import { useCallback, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { afterComposition } from '../../lib/composition.ts'
import { useEarlySubmit } from '../../lib/early-form.ts'
import { writerNow } from '../accounts/session.ts'
import { useLeadBack } from '../accounts/use-lead-back.ts'
import { changeDraft, useDraft } from '../../lib/use-draft.ts'
import type { ThreadLive } from './live.ts'
import { nameAsShown, type WriterName } from './nickname.ts'
import { idAfter, type UnsentPost } from './unsent/delivery.ts'
import { sendNow, sendUnsent, unsentPosts } from './unsent/unsent.ts'

/** Stored while its writer types; flat strings, as drafts are. */
interface PostDraft {
  content: string
  /** The part that is being sent: unsent/ keeps it, so a later page must not show it again. */
  underWay: string
}

const EMPTY_DRAFT: PostDraft = { content: '', underWay: '' }

const keyOf = (threadId: string): string => `post:${threadId}`

/** A text after another one. */
export const joined = (before: string, text: string): string => (before === '' ? text : `${before}\n${text}`)

/** Puts a text into the draft of a thread that is not on screen, after what is there. */
export const addToDraft = (threadId: string, text: string): void =>
  changeDraft(keyOf(threadId), EMPTY_DRAFT, (draft) => ({ ...draft, content: joined(draft.content, text) }))

interface SendingOptions {
  /** The composer's form, whose text field is named `content`. */
  form: RefObject<HTMLFormElement | null>
  threadId: string
  threadTitle: string
  live: ThreadLive
  writer: WriterName | null
  image: File | null
  /** There is an image, or one is being read. */
  hasImage: boolean
  /** Posts with the staff seal. */
  asStaff: boolean
  /** Does not lift the thread. */
  sage: boolean
  /** The post with this image needs the composer no more: it was sent, or goes by itself. */
  onTaken: (image: File | null) => void
  /** The server has stored the post. */
  onPosted: (post: Post) => void
  /** The server holds the post for a moderator; with the server's message. */
  onHeld: (message: string) => void
  /** It could not be sent yet, and goes by itself as soon as it can; with the words for it. */
  onWaiting: (message: string) => void
  onProblem: (problem: SendProblem) => void
  /** The visitor has to choose a name before sending. */
  onNameless: () => void
}

export interface SendProblem {
  readonly message: string
  /** It must be read: a ban with its reason and end, or why the next post waits for minutes. */
  readonly lasting: boolean
  /** Seconds until another attempt makes sense. */
  readonly retryAfter: number | null
}

/** A problem that the writer must fix or wait for. */
const toProblem = (error: unknown): SendProblem => {
  if (!(error instanceof ApiError)) return { message: messages.post_failed, lasting: false, retryAfter: null }
  const { message, code, retryAfter } = error
  return { message, lasting: LASTING.has(code), retryAfter: WAITING.has(code) ? retryAfter : null }
}

const LASTING: ReadonlySet<string> = new Set(['banned', 'silenced', 'locked', 'thread_full', 'spam'])
const WAITING: ReadonlySet<string> = new Set(['too_many_requests', 'spam'])

export interface Sending {
  /** False while a submission is too early, and useEarlySubmit submits it again. */
  readonly restored: boolean
  readonly content: string
  readonly setContent: (content: string) => void
  /** Adds a text after what is there. */
  readonly append: (text: string) => void
  readonly pending: boolean
  /** The browser is computing the proof of work that the board requires. */
  readonly proving: boolean
  /** 0 to 1 while an image is uploaded. */
  readonly progress: number | null
  readonly send: () => Promise<void>
}

const isSame = (content: string, sent: string): boolean => cleanBody(content) === cleanBody(sent)

/** Whether the field still has the text that is being sent; its writer may have replaced it. */
const hasSent = (content: string, sent: string): boolean => content.startsWith(sent) || isSame(content, sent)

/**
 * The text typed while `sent` was being sent, for the next post. A text that was changed otherwise
 * is kept whole.
 */
function typedOn(content: string, sent: string): string {
  if (isSame(content, sent)) return ''
  return content.startsWith(sent) ? content.slice(sent.length).replace(/^\n+/, '') : content
}

const withoutSent = ({ content }: PostDraft, sent: string): PostDraft => ({
  content: typedOn(content, sent),
  underWay: '',
})

/** The draft of a thread and its sending. The text stays until the server has answered. */
export function useSending({
  form,
  threadId,
  threadTitle,
  live,
  writer,
  image,
  hasImage,
  ...options
}: SendingOptions): Sending {
  const { asStaff, sage, ...on } = options
  const { value: draft, update, updateNow, clear, restored } = useDraft(keyOf(threadId), EMPTY_DRAFT, form)
  // A visitor without a name is asked for it first.
  useEarlySubmit(form, restored && writer !== null)
  const [pending, setPending] = useState(false)
  const [proving, setProving] = useState(false)
  const [progress, setProgress] = useState<number | null>(null)
  /** State is updated one render late; two presses within one frame must not create two posts. */
  const locked = useRef(false)
  const latest = useRef(draft)
  const isImageThere = useRef(hasImage)
  useLayoutEffect(() => {
    latest.current = draft
    isImageThere.current = hasImage
  }, [draft, hasImage])
  const isMounted = useRef(false)
  useLayoutEffect(() => {
    isMounted.current = true
    return () => {
      isMounted.current = false
    }
  }, [])
  // The server is back, perhaps without a word of the browser about the network.
  useEffect(() => live.subscribe(() => live.state().kind === 'live' && sendNow()), [live])
  useEffect(() => {
    // The page before ended, or was left, while it was being sent.
    if (!restored || locked.current || draft.underWay === '') return
    update(withoutSent(draft, draft.underWay))
  }, [restored, draft, update])

  /** Empties the draft, except for text that was typed since. */
  const removeSent = async (typed: string): Promise<void> => {
    if (typedOn(latest.current.content, typed) !== '') {
      setPending(false)
      // No script may write into a field during an IME conversion.
      await afterComposition()
    }
    const rest = withoutSent(latest.current, typed)
    if (rest.content === '') clear()
    else update(rest)
    // The send button may be pressed before the next render, which sets this otherwise.
    latest.current = rest
  }

  const leadBack = useLeadBack((message) => on.onProblem({ message, lasting: true, retryAfter: null }))
  const send = async () => {
    if (locked.current) return
    const typed = latest.current.content
    const content = cleanBody(typed)
    const complaint = findComplaint(content, POST, 'body', contentWords)
    if (complaint !== null) return on.onProblem({ message: complaint, lasting: false, retryAfter: null })
    if (leadBack(isImageThere.current)) return
    if (writer === null) return on.onNameless()

    locked.current = true
    setPending(true)
    if (image !== null) setProgress(0)
    const now = Date.now()
    const post: UnsentPost = {
      ...{ id: idAfter(unsentPosts(), now), threadId, threadTitle, content, sage, asStaff, image },
      ...{ owner: writerNow() ?? null, name: nameAsShown(writer), hasKey: writer.key !== null },
      ...{ wantedAt: now, notBefore: 0, refusal: null, isTold: false, answer: null },
    }
    const sender = {
      overSocket: live.send.bind(live),
      onHttp: () => live.reconnectIfUnrecognised(),
      onProgress: setProgress,
      onProving: setProving,
      keepText: () => {
        const isThere = isMounted.current && hasSent(latest.current.content, typed)
        if (isThere) updateNow({ underWay: '' })
        return isThere
      },
    }
    const onStored = () => {
      if (isMounted.current) updateNow({ underWay: typed })
      else changeDraft(keyOf(threadId), EMPTY_DRAFT, (kept) => ({ ...kept, underWay: typed }))
    }
    try {
      const outcome = await sendUnsent(post, sender, onStored)
      const isBack = outcome.kind === 'full' || (outcome.kind === 'refused' && outcome.isBack)
      if (!isBack) on.onTaken(image)
      if (outcome.kind === 'sent') {
        if ('held' in outcome.sent) on.onHeld(outcome.sent.held.message)
        else on.onPosted(outcome.sent)
      } else if (outcome.kind === 'waiting') on.onWaiting(messages.unsent_waiting)
      else if (outcome.kind === 'refused') {
        const isEnded = outcome.error instanceof ApiError && outcome.error.code === 'unauthorized'
        if (!isEnded || !isMounted.current || !leadBack(isImageThere.current)) on.onProblem(toProblem(outcome.error))
      } else if (outcome.kind === 'full') {
        on.onProblem({ message: messages.unsent_full, lasting: false, retryAfter: null })
      }
      // Without its composer the text was kept with the post, and is not shown again.
      if (isMounted.current && !isBack) await removeSent(typed)
    } finally {
      locked.current = false
      setPending(false)
      setProgress(null)
    }
  }

  const setContent = useCallback(
    (content: string) => {
      update({ content })
      // What comes before the next render sees it as well.
      latest.current = { ...latest.current, content }
    },
    [update],
  )
  const append = (text: string) => setContent(joined(latest.current.content, text))
  return { restored, content: draft.content, setContent, append, pending, proving, progress, send }
}
