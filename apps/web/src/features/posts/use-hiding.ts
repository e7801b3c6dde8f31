import type { Post } from '@shinobi/contract/posts'
import { useState } from 'react'
import type { Hidden } from '../hiding/matcher.ts'
import { useHiddenPosts } from '../hiding/use-match.ts'
import { toHideable } from './hideable.ts'

export interface Hiding {
  /** Why a post is hidden; undefined for one that is not, or that the visitor wants to see. */
  readonly of: (number: number) => Hidden | undefined
  /** Shows a hidden post all the same, in this place. */
  readonly show: (number: number) => void
}

/** What the visitor's rules hide of some posts of a thread. */
export function useHiding(threadId: string, posts: readonly Post[]): Hiding {
  const hidden = useHiddenPosts(threadId, posts, toHideable)
  const [revealed, setRevealed] = useState<ReadonlySet<number>>(new Set())
  return {
    of: (number) => (revealed.has(number) ? undefined : hidden.get(number)),
    show: (number) => setRevealed((known) => new Set(known).add(number)),
  }
}
