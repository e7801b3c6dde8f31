import { messages } from '@shinobi/contract/messages'
import { useEffect } from 'react'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'

/**
 * Tells a visitor who was shown as a member that the session has ended. /login has a permanent
 * message instead.
 */
export function SessionNotice() {
  const { notice, show, clear } = useTimedNotice()
  useEffect(() => show(messages.verify_failed), [show])
  return <NoticeRegion notice={notice} onClose={clear} />
}
