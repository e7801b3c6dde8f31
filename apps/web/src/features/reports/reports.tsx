import { REPORT_NOTICE_MS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { inTime, loadChunk } from '../../lib/load-chunk.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { ReportContext, type ReportActions } from './report-context.ts'
import type { ReportDialogProps } from './report-dialog.tsx'

const importDialog = () => import('./report-dialog.tsx')

/**
 * The report dialog of a page, for the `ReportButton`s inside. It is loaded when a press of one of
 * them is likely.
 */
export function Reports({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<ComponentType<ReportDialogProps> | null>(null)
  const [wanted, setWanted] = useState<{ post: Post; begun: string; part: string | undefined } | null>(null)
  const [open, setOpen] = useState(false)
  const { notice, show, clear } = useTimedNotice(REPORT_NOTICE_MS)
  const actions = useMemo<ReportActions>(
    () => ({
      report(post, begun, part) {
        loadChunk(importDialog).then(
          ({ ReportDialog }) => {
            setDialog(() => ReportDialog)
            setWanted({ post, begun, part })
            setOpen(true)
          },
          () => show(messages.report_exception),
        )
      },
      prepare: () => void inTime(importDialog).catch(() => {}),
    }),
    [show],
  )
  return (
    <ReportContext value={actions}>
      {children}
      {Dialog && wanted && (
        <Dialog
          post={wanted.post}
          begun={wanted.begun}
          part={wanted.part}
          open={open}
          onClose={() => setOpen(false)}
          onReported={(message) => {
            setOpen(false)
            show(message || messages.report_received, 'success')
          }}
        />
      )}
      <NoticeRegion notice={notice} onClose={clear} />
    </ReportContext>
  )
}
