import { POST } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { cleanBody, findProblem, type TextProblem } from '@shinobi/contract/text'
import { useCallback, useLayoutEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { useDraft } from '../../lib/use-draft.ts'
import { createPost } from './api.ts'
import { EMPTY_DRAFT, attemptFor } from './attempt.ts'
import type { ThreadLive } from './live.ts'
import { rememberOwnPost } from './own-posts.ts'
import { sendPost } from './send-post.ts'

const problems: Readonly<Record<TextProblem, string>> = {
  blank: messages.content_required,
  too_short: messages.content_required,
  too_long: messages.content_too_long,
  bad_characters: messages.content_bad_characters,
}

interface SendingOptions {
  threadId: string
  live: ThreadLive
  name: string | null
  image: File | null
  /** The server has it: it may be shown, and the image let go. */
  onPosted: (post: Post) => void
  onProblem: (message: string) => void
}

export interface Sending {
  readonly content: string
  readonly type: (content: string) => void
  readonly pending: boolean
  /** 0 to 1 while an image is on its way. */
  readonly progress: number | null
  readonly send: () => Promise<void>
}

/** The draft of a thread and its way to the server. What was typed stays until the server has it. */
export function useSending({ threadId, live, name, image, onPosted, onProblem }: SendingOptions): Sending {
  const { value: draft, update, clear } = useDraft(`post:${threadId}`, EMPTY_DRAFT)
  const [pending, setPending] = useState(false)
  const [progress, setProgress] = useState<number | null>(null)
  /** State is one render late; two presses within one frame must not be two posts. */
  const locked = useRef(false)
  const latest = useRef(draft)
  useLayoutEffect(() => {
    latest.current = draft
  }, [draft])

  const send = async () => {
    if (locked.current) return
    const content = cleanBody(latest.current.content)
    const problem = findProblem(content, POST, 'body')
    if (problem !== null) return onProblem(problems[problem])
    if (name === null) return onProblem(messages.nickname_missing)

    locked.current = true
    setPending(true)
    if (image !== null) setProgress(0)
    const attempt = attemptFor(latest.current, content, name, image)
    update(attempt)
    try {
      const outgoing = { content, name, clientPostId: attempt.attemptId, image }
      const post = await sendPost(threadId, outgoing, {
        overSocket: (input) => live.send(input),
        overHttp: (input) => createPost(threadId, input, setProgress),
      })
      // A member's posts carry the member: the next one at this browser shall not find them marked as their own.
      if (post.userId === null) rememberOwnPost(post._id)
      // Typed on while it was on its way: that is the next post.
      if (cleanBody(latest.current.content) === content) clear()
      else update({ attemptId: '', attemptOf: '' })
      onPosted(post)
    } catch (error) {
      onProblem(error instanceof ApiError ? error.message : messages.post_failed)
    } finally {
      locked.current = false
      setPending(false)
      setProgress(null)
    }
  }

  const type = useCallback((content: string) => update({ content }), [update])
  return { content: draft.content, type, pending, progress, send }
}
