import { REPORT_NOTICE_MS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { useMemo, type ReactNode } from 'react'
import { inTime, loadChunk } from '../../lib/load-chunk.ts'
import { useLoadedDialog } from '../../lib/use-loaded-dialog.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { ReportContext, type ReportActions } from './report-context.ts'
import type { ReportDialogProps } from './report-dialog.tsx'

const importDialog = () => import('./report-dialog.tsx')
const loadDialog = async () => (await loadChunk(importDialog)).ReportDialog

type Subject = Pick<ReportDialogProps, 'post' | 'begun' | 'part'>

/**
 * The report dialog of a page, for the `ReportButton`s inside. It is loaded when a press of one of
 * them is likely.
 */
export function Reports({ children }: { children: ReactNode }) {
  const { notice, show, clear } = useTimedNotice(REPORT_NOTICE_MS)
  const { shown, open, close } = useLoadedDialog<ReportDialogProps, Subject>(
    loadDialog,
    show,
    messages.report_exception,
  )
  const actions = useMemo<ReportActions>(
    () => ({
      report: (post, begun, part) => open({ post, begun, part }),
      prepare: () => void inTime(importDialog).catch(() => {}),
    }),
    [open],
  )
  return (
    <ReportContext value={actions}>
      {children}
      {shown && (
        <shown.Dialog
          {...shown.subject}
          open={shown.isOpen}
          onClose={close}
          onReported={(message) => {
            close()
            show(message || messages.report_received, 'success')
          }}
        />
      )}
      <NoticeRegion notice={notice} onClose={clear} />
    </ReportContext>
  )
}
