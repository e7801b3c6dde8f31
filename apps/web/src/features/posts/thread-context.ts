import type { Post } from '@shinobi/contract/posts'
import { createContext, use, useMemo, type ComponentType, type ReactNode } from 'react'
import type { NewestNumber } from './newest-number.ts'

/** What other features add to a post; given by the page, which knows them. */
export interface PostSlots {
  /** Its likes. */
  readonly Like: ComponentType<{ of: Post }>
  /** The way to report it, dressed as one of the post's actions. */
  readonly Report: ComponentType<{ post: Post; className: string }>
  /** What moderators can do with it; nothing for everybody else. */
  readonly Manage: ComponentType<{ post: Post; className: string }>
  /** Of a thread that the board opened by itself; null where somebody did. */
  readonly opening: OpeningSlots | null
}

/** Post 1 of a thread that nobody wrote. */
export interface OpeningSlots {
  /** Stands where a writer's name would. */
  readonly name: string
  /** Its text; `children` is the plain one, which always does. */
  readonly Text: ComponentType<{ post: Post; children: ReactNode }>
}

/** What the parts of a post need of the thread around them. Stable: none of it changes while the thread is on screen. */
export interface ThreadActions {
  readonly threadId: string
  readonly newest: NewestNumber
  /** A post of the loaded window. */
  readonly findPost: (number: number) => Post | undefined
  /** Goes to a post, loading its page if needed; Back returns to where the reader was. */
  readonly goTo: (number: number) => void
  /** Shows the picture of a post large, among those of the loaded posts. */
  readonly viewImage: (post: Post) => void
  /** Puts >>n into the composer; null where nobody can write. */
  readonly reply: ((number: number) => void) | null
  readonly slots: PostSlots
}

const ThreadContext = createContext<ThreadActions | null>(null)
export const ThreadActionsProvider = ThreadContext

export function useThreadActions(): ThreadActions {
  const actions = use(ThreadContext)
  if (actions === null) throw new Error('useThreadActions must be used inside ThreadActionsProvider')
  return actions
}

/** A post as readers see it: what nobody wrote says so where its writer's name would stand. */
export function useShownPost(post: Post): Post {
  const { opening } = useThreadActions().slots
  return useMemo(
    () => (opening !== null && post.number === 1 && post.name === null ? { ...post, name: opening.name } : post),
    [opening, post],
  )
}
