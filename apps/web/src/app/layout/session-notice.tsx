import { useEffect } from 'react'
import { whenSeen } from '../../lib/when-seen.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'

/**
 * Tells a visitor who was shown as a member why the session has ended, once the page is seen.
 * /login has a permanent message instead.
 */
export function SessionNotice({ text }: { text: string }) {
  const { notice, show, clear } = useTimedNotice()
  useEffect(() => whenSeen(() => show(text)), [show, text])
  return <NoticeRegion notice={notice} onClose={clear} />
}
