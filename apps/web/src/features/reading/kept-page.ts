import type { ThreadSummary } from '@shinobi/contract/news'
import type { Post } from '@shinobi/contract/posts'
import type { Thread } from '@shinobi/contract/threads'

/** A thread as this browser showed it last, for reading without a network. */
export interface KeptPage {
  readonly threadId: string
  /** Milliseconds. */
  readonly keptAt: number
  /** An earlier version kept it without what its opener did in it. */
  readonly thread: Omit<Thread, 'ownerActions'> & Partial<Pick<Thread, 'ownerActions'>>
  /** Null where the thread has none, or where it was not loaded. */
  readonly summary: ThreadSummary | null
  /** Number before the first of the posts, which have no gaps. */
  readonly start: number
  readonly posts: readonly Post[]
  /** Position of the thread that the posts reflect. */
  readonly known: Pick<Thread, 'postCount' | 'revision'>
}
