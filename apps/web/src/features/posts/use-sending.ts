import { contentWords, findComplaint } from '@shinobi/contract/complaints'
import { POST } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { cleanBody } from '@shinobi/contract/text'
import { useCallback, useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { afterComposition } from '../../lib/composition.ts'
import { useEarlySubmit } from '../../lib/early-form.ts'
import { rememberHeld } from '../held/held.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { rememberOwnPost } from '../reading/own-posts.ts'
import { withProof } from '../shields/with-proof.ts'
import { createPost, type OutgoingPost } from './api.ts'
import type { ThreadLive } from './live.ts'
import { EMPTY_DRAFT, attemptFor, sendPost } from './send-post.ts'

interface SendingOptions {
  /** Has the text as `content`. */
  form: RefObject<HTMLFormElement | null>
  threadId: string
  live: ThreadLive
  name: string | null
  image: File | null
  /** Posts with the staff seal. */
  asStaff: boolean
  /** The server has stored it: it can be shown, and the image released. */
  onPosted: (post: Post) => void
  /** The server holds it for a moderator; with the server's message. */
  onHeld: (message: string) => void
  onProblem: (problem: SendProblem) => void
  /** It cannot be sent before the visitor has chosen a name. */
  onNameless: () => void
}

export interface SendProblem {
  readonly message: string
  /** The problem does not pass by itself, and must be read: a ban with its reason and end. */
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

const LASTING: ReadonlySet<string> = new Set(['banned', 'locked', 'thread_full'])
const WAITING: ReadonlySet<string> = new Set(['too_many_requests', 'spam'])

export interface Sending {
  readonly content: string
  readonly type: (content: string) => void
  readonly pending: boolean
  /** The browser is computing the proof of work that the board requires. */
  readonly proving: boolean
  /** 0 to 1 while an image is uploaded. */
  readonly progress: number | null
  readonly send: () => Promise<void>
}

/**
 * The text typed while `sent` was being sent, for the next post. A text that was changed otherwise
 * is kept whole.
 */
function typedOn(content: string, sent: string): string {
  if (cleanBody(content) === cleanBody(sent)) return ''
  return content.startsWith(sent) ? content.slice(sent.length).replace(/^\n+/, '') : content
}

/** The draft of a thread and its sending. The text stays until the server has stored it. */
export function useSending({ form, threadId, live, name, image, asStaff, ...heard }: SendingOptions): Sending {
  const { value: draft, update, clear, restored } = useDraft(`post:${threadId}`, EMPTY_DRAFT, form)
  // A visitor without a name is asked for it first.
  useEarlySubmit(form, restored && name !== null)
  const [pending, setPending] = useState(false)
  const [proving, setProving] = useState(false)
  const [progress, setProgress] = useState<number | null>(null)
  /** State is updated one render late; two presses within one frame must not create two posts. */
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
      } else rememberOwnPost(sent)
      if ('held' in sent) heard.onHeld(sent.held.message)
      else heard.onPosted(sent)
      if (typedOn(latest.current.content, typed) !== '') {
        setPending(false)
        // No script may write into a field during an IME conversion.
        await afterComposition()
      }
      const rest = { ...EMPTY_DRAFT, content: typedOn(latest.current.content, typed) }
      if (rest.content === '') clear()
      else update(rest)
      // A press may come before the next render.
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
