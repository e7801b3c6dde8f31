import type { Post } from '@shinobi/contract/posts'
import { createContext, use } from 'react'

export interface ReportActions {
  /** Opens the dialog; `begun` stands at the beginning of the reason until somebody has typed one. */
  readonly report: (post: Post, begun: string) => void
  /** Somebody is about to. */
  readonly prepare: () => void
}

export const ReportContext = createContext<ReportActions | null>(null)

export function useReportActions(): ReportActions {
  const actions = use(ReportContext)
  if (actions === null) throw new Error('useReportActions must be used inside Reports')
  return actions
}
