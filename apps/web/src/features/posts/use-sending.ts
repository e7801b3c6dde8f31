import { contentWords, findComplaint } from '@shinobi/contract/complaints'
import { POST } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { cleanBody } from '@shinobi/contract/text'
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { afterComposition } from '../../lib/composition.ts'
import { useEarlySubmit } from '../../lib/early-form.ts'
import { rememberHeld } from '../../lib/held.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { withProof } from '../../lib/with-proof.ts'
import { createPost, type OutgoingPost } from './api.ts'
import { EMPTY_DRAFT, attemptFor } from './attempt.ts'
import type { ThreadLive } from './live.ts'
import { rememberOwn } from './own-posts.ts'
import { sendPost } from './send-post.ts'

interface SendingOptions {
  /** Has the text as `content`. */
  form: RefObject<HTMLFormElement | null>
  threadId: string
  live: ThreadLive
  name: string | null
  image: File | null
  /** Under the seal of those who run the board. */
  asStaff: boolean
  /** The server has it: it may be shown, and the image let go. */
  onPosted: (post: Post) => void
  /** The server has it, and a moderator looks at it first; with the server's words. */
  onHeld: (message: string) => void
  onProblem: (problem: SendProblem) => void
  /** It cannot go before the visitor has chosen a name. */
  onNameless: () => void
}

export interface SendProblem {
  readonly message: string
  /** It will not pass by itself, and has to be read: a ban with its reason and end. */
  readonly lasting: boolean
  /** Seconds until another try makes sense. */
  readonly retryAfter: number | null
}

/** What the writer has to mend, or wait out. */
const toProblem = (error: unknown): SendProblem => {
  if (!(error instanceof ApiError)) return { message: messages.post_failed, lasting: false, retryAfter: null }
  const { message, code, retryAfter } = error
  return { message, lasting: LASTING.has(code), retryAfter: WAITING.has(code) ? retryAfter : null }
}

const LASTING: ReadonlySet<string> = new Set(['banned', 'locked'])
const WAITING: ReadonlySet<string> = new Set(['too_many_requests', 'spam'])

export interface Sending {
  readonly content: string
  readonly type: (content: string) => void
  readonly pending: boolean
  /** The browser is making the proof that the board asks for. */
  readonly proving: boolean
  /** 0 to 1 while an image is on its way. */
  readonly progress: number | null
  readonly send: () => Promise<void>
}

/** What of a text was typed on while `sent` was on its way: the next post. One that was changed otherwise is kept whole. */
function typedOn(content: string, sent: string): string {
  if (cleanBody(content) === cleanBody(sent)) return ''
  return content.startsWith(sent) ? content.slice(sent.length).replace(/^\n+/, '') : content
}

/** The draft of a thread and its way to the server. What was typed stays until the server has it. */
export function useSending({ form, threadId, live, name, image, asStaff, ...heard }: SendingOptions): Sending {
  const { value: draft, update, clear, restored } = useDraft(`post:${threadId}`, EMPTY_DRAFT, form)
  // Whoever has no name yet is asked for it first.
  useEarlySubmit(form, restored && name !== null)
  const [pending, setPending] = useState(false)
  const [proving, setProving] = useState(false)
  const [progress, setProgress] = useState<number | null>(null)
  /** State is one render late; two presses within one frame must not be two posts. */
  const locked = useRef(false)
  const latest = useRef(draft)
  useLayoutEffect(() => {
    latest.current = draft
  }, [draft])

  const send = async () => {
    if (locked.current) return
    const typed = latest.current.content
    const content = cleanBody(typed)
    const complaint = findComplaint(content, POST, 'body', contentWords)
    const complain = (message: string) => heard.onProblem({ message, lasting: false, retryAfter: null })
    if (complaint !== null) return complain(complaint)
    if (name === null) return heard.onNameless()

    locked.current = true
    setPending(true)
    if (image !== null) setProgress(0)
    const attempt = attemptFor(latest.current, content, name, image)
    update(attempt)
    try {
      const outgoing = { content, name, clientPostId: attempt.attemptId, image, asStaff }
      const routes = {
        overSocket: (input: Parameters<typeof live.send>[0]) => live.send(input),
        async overHttp(input: OutgoingPost) {
          const answer = await createPost(threadId, input, setProgress)
          live.introduce()
          return answer
        },
      }
      const sent = await withProof(() => sendPost(threadId, outgoing, routes), setProving)
      if ('held' in sent) {
        const { _id: id } = sent.held
        rememberHeld({ id, kind: 'post', place: threadId, name, title: null, content, hasImage: image !== null })
      }
      // A member's posts carry the member: the next one at this browser shall not find them marked as their own.
      else if (sent.userId === null) rememberOwn(sent._id)
      if ('held' in sent) heard.onHeld(sent.held.message)
      else heard.onPosted(sent)
      if (typedOn(latest.current.content, typed) !== '') {
        setPending(false)
        // Nothing may write into a field in which the next post is being converted.
        await afterComposition()
      }
      const rest = { ...EMPTY_DRAFT, content: typedOn(latest.current.content, typed) }
      if (rest.content === '') clear()
      else update(rest)
      // A press may come before this is drawn.
      latest.current = rest
    } catch (error) {
      heard.onProblem(toProblem(error))
    } finally {
      locked.current = false
      setPending(false)
      setProgress(null)
    }
  }

  const type = useCallback((content: string) => update({ content }), [update])
  return { content: draft.content, type, pending, proving, progress, send }
}
