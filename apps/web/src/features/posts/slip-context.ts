import { createContext, use } from 'react'
import type { NumberRange } from './parse-content.ts'

/** The paper slips that show the posts behind >>n. `depth` counts slips upon slips: 0 is opened from the page. */
export interface Slips {
  readonly open: (anchor: HTMLElement, ranges: readonly NumberRange[], depth: number) => void
  /** Closes slips from `depth` on, unless the pointer gets to one of them first. */
  readonly closeSoon: (depth: number) => void
  /** The pointer is on the slip of this depth: it and those below stay, later ones go. */
  readonly keep: (depth: number) => void
  readonly closeAll: () => void
}

export const SlipsContext = createContext<Slips | null>(null)
/** Depth of what is rendered: 0 on the page, 1 inside the first slip. */
export const DepthContext = createContext(0)

export function useSlips(): Slips {
  const slips = use(SlipsContext)
  if (slips === null) throw new Error('useSlips must be used inside SlipLayer')
  return slips
}

export const useDepth = (): number => use(DepthContext)
