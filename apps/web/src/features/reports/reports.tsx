import { REPORT_NOTICE_MS } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Post } from '@shinobi/contract/posts'
import { useMemo, useState, type ComponentType, type ReactNode } from 'react'
import { inTime } from '../../lib/in-time.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import { ReportContext, type ReportActions } from './report-context.ts'
import type { ReportDialogProps } from './report-dialog.tsx'

const loadDialog = async () => (await inTime(() => import('./report-dialog.tsx'))).ReportDialog

/** The report dialog of a page, for the `ReportButton`s inside. It is fetched when somebody comes near one of them. */
export function Reports({ children }: { children: ReactNode }) {
  const [Dialog, setDialog] = useState<ComponentType<ReportDialogProps> | null>(null)
  const [wanted, setWanted] = useState<{ post: Post; begun: string } | null>(null)
  const [open, setOpen] = useState(false)
  const { notice, show, clear } = useTimedNotice(REPORT_NOTICE_MS)
  const actions = useMemo<ReportActions>(
    () => ({
      report(post, begun) {
        loadDialog().then(
          (loaded) => {
            setDialog(() => loaded)
            setWanted({ post, begun })
            setOpen(true)
          },
          () => show(messages.report_exception),
        )
      },
      prepare: () => void loadDialog().catch(() => {}),
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
