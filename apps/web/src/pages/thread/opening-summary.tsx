import type { Post } from '@shinobi/contract/posts'
import type { SummaryKind } from '@shinobi/contract/threads'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { summaryQuery } from '../../features/news/api.ts'
import { beginSentenceReport } from '../../features/news/sentence-report.ts'
import { Summary } from '../../features/news/summary.tsx'
import { ReportButton } from '../../features/reports/report-button.tsx'
import styles from './opening-summary.module.css'

/**
 * The text of a news thread's opening post: its summary, or the plain text when the summary could
 * not be loaded.
 */
export function OpeningSummary({ post, children }: { post: Post; children: ReactNode }) {
  const { data } = useQuery(summaryQuery(post.threadId))
  if (data === undefined) return children
  const { label, begun } = reports[data.kind]
  return (
    <Summary
      summary={data}
      report={
        <ReportButton post={post} className={styles['report'] ?? ''} begun={begun}>
          {label}
        </ReportButton>
      }
      renderSentenceReport={(text) => (
        <ReportButton
          post={post}
          className={styles['report'] ?? ''}
          begun={beginSentenceReport(begun, text)}
          part={text}
        >
          この文の誤りを報告
        </ReportButton>
      )}
    >
      {children}
    </Summary>
  )
}

/**
 * The label of the button, and the first words of the report, which name the subject for the
 * moderator.
 */
const reports: Readonly<Record<SummaryKind, { label: string; begun: string }>> = {
  ai: { label: 'AIの誤りを報告', begun: 'AIの誤り: ' },
  extractive: { label: '要約の誤りを報告', begun: '要約の誤り: ' },
  headline: { label: '誤りを報告', begun: '見出しの誤り: ' },
}
