import type { Post } from '@shinobi/contract/posts'
import { createContext, use, useMemo, type ComponentType, type ReactNode } from 'react'
import type { Person } from './extraction/extract.ts'
import type { NewestNumber } from './newest-number.ts'

/**
 * Post 1 of a thread that the board opened by itself. The page provides it, because the page has
 * the source of the thread.
 */
export interface Opening {
  /** Shown in place of a writer's name. */
  readonly name: string
  /** Renders its text; `children` is the plain text, which is always a valid fallback. */
  readonly Text: ComponentType<{ post: Post; children: ReactNode }>
}

/**
 * The thread's functions for the parts of a post. Stable: none of them changes while the thread is
 * on screen.
 */
export interface ThreadActions {
  readonly threadId: string
  readonly newest: NewestNumber
  /** A post of the loaded window. */
  readonly findPost: (number: number) => Post | undefined
  /** All posts of the loaded window. */
  readonly posts: () => readonly Post[]
  /**
   * Goes to a post with the focus, loading its page if needed; Back returns to the reader's earlier
   * position.
   */
  readonly goTo: (number: number) => void
  /** Opens the image of a post in the viewer, among those of the loaded posts. */
  readonly viewImage: (post: Post) => void
  /** Inserts >>n into the composer; null where posting is not possible. */
  readonly reply: ((number: number) => void) | null
  /**
   * Puts a text into the composer, after what is there, with an image; null where posting is not
   * possible. Returns whether it did: a thread that was left has no composer.
   */
  readonly write: ((text: string, image?: File | null) => boolean) | null
  /** Puts back a text that was not published, also where it can only wait for another thread. */
  readonly putBack: (text: string) => void
  /** Shows the posts of one person. */
  readonly extract: (person: Person) => void
  /** Opens the dialog that hides what a post has in common with others (NG). */
  readonly hide: (post: Post) => void
  /** null where a visitor opened the thread. */
  readonly opening: Opening | null
}

const ThreadContext = createContext<ThreadActions | null>(null)
export const ThreadActionsProvider = ThreadContext

export function useThreadActions(): ThreadActions {
  const actions = use(ThreadContext)
  if (actions === null) throw new Error('useThreadActions must be used inside ThreadActionsProvider')
  return actions
}

/**
 * A post as displayed: an opening post of the board shows the board's label in place of a writer's
 * name.
 */
export function useShownPost(post: Post): Post {
  const { opening } = useThreadActions()
  return useMemo(
    () => (opening !== null && post.number === 1 && post.name === null ? { ...post, name: opening.name } : post),
    [opening, post],
  )
}
