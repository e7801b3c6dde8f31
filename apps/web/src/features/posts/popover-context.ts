import { createContext, use } from 'react'
import type { NumberRange } from '@shinobi/text/anchors'

/** What a popover shows: the posts behind >>n, or the answers to a post. */
export type Shown = { readonly ranges: readonly NumberRange[] } | { readonly answersTo: number }

/**
 * The popovers that show other posts of the thread. `depth` counts nested popovers: 0 is opened
 * from the page.
 */
export interface Popovers {
  readonly open: (anchor: HTMLElement, shown: Shown, depth: number) => void
  /**
   * Closes popovers from `depth` on, unless the pointer reaches one of them first. Answers, and
   * what is below them, stay until a press outside or Escape.
   */
  readonly closeSoon: (depth: number) => void
  /** The pointer is on the popover of this depth: it and those below stay, later ones close. */
  readonly keep: (depth: number) => void
  readonly closeAll: () => void
}

export const PopoversContext = createContext<Popovers | null>(null)
/** Depth of the rendered content: 0 on the page, 1 inside the first popover. */
export const DepthContext = createContext(0)

export function usePopovers(): Popovers {
  const popovers = use(PopoversContext)
  if (popovers === null) throw new Error('usePopovers must be used inside PopoverLayer')
  return popovers
}

export const useDepth = (): number => use(DepthContext)
