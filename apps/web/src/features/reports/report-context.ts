import type { Post } from '@shinobi/contract/posts'
import { createContext, use } from 'react'

export interface ReportActions {
  /** Opens the dialog; the reason starts with `begun` until the visitor has typed one. */
  readonly report: (post: Post, begun: string) => void
  /** A press is likely to follow, so the dialog is loaded. */
  readonly prepare: () => void
}

export const ReportContext = createContext<ReportActions | null>(null)

export function useReportActions(): ReportActions {
  const actions = use(ReportContext)
  if (actions === null) throw new Error('useReportActions must be used inside Reports')
  return actions
}
