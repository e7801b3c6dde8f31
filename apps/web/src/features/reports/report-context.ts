import type { Post } from '@shinobi/contract/posts'
import { createContext, use } from 'react'

export interface ReportActions {
  /**
   * Opens the dialog; the reason starts with `begun` until the visitor has typed one. `part` is the
   * part of the post that it is about, of which typed text is kept on its own.
   */
  readonly report: (post: Post, begun: string, part?: string) => void
  /** A press is likely to follow, so the dialog is loaded. */
  readonly prepare: () => void
}

export const ReportContext = createContext<ReportActions | null>(null)

export function useReportActions(): ReportActions {
  const actions = use(ReportContext)
  if (actions === null) throw new Error('useReportActions must be used inside Reports')
  return actions
}
