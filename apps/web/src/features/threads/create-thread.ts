import type { HeldAnswer } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'
import { apiUpload } from '../../lib/api-upload.ts'

export interface NewThread {
  title: string
  content: string
  /** Name of the category. */
  category: string
  nickname: string
  image: File | null
  /** Posts with the staff seal. */
  asStaff: boolean
  /** The thread that this one continues; null for none. */
  previousThreadId: string | null
  /** The same for every attempt of one draft, so that a resend never creates a second thread. */
  clientThreadId: string
}

/** Without a session it only fails: its form decides whether its page is left for the log-in. */
export function createThread(
  input: NewThread,
  options: { onProgress?: (share: number) => void; signal?: AbortSignal } = {},
): Promise<Thread | HeldAnswer> {
  const form = new FormData()
  form.set('title', input.title)
  form.set('content', input.content)
  form.set('category', input.category)
  if (input.nickname !== '') form.set('nickname', input.nickname)
  form.set('clientThreadId', input.clientThreadId)
  if (input.previousThreadId !== null) form.set('previousThreadId', input.previousThreadId)
  if (input.asStaff) form.set('asStaff', 'true')
  if (input.image !== null) form.set('image', input.image, input.image.name)
  return apiUpload<Thread | HeldAnswer>('/api/threads', form, { ...options, background: true, withStoredToken: true })
}
