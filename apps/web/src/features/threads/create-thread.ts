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
  /** Under the seal of those who run the board. */
  asStaff: boolean
  /** The same for every try of one draft, so that a resend never makes a second thread. */
  clientThreadId: string
}

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
  if (input.asStaff) form.set('asStaff', 'true')
  if (input.image !== null) form.set('image', input.image, input.image.name)
  return apiUpload<Thread | HeldAnswer>('/api/threads', form, { ...options, withStoredToken: true })
}
