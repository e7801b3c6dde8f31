import { messages } from '@shinobi/contract/messages'
import { useEffect } from 'react'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'

/** Tells whoever was shown as a member that the session is over. /login says it as long as it is open. */
export function SessionNotice() {
  const { notice, show, clear } = useTimedNotice()
  useEffect(() => show(messages.verify_failed), [show])
  return <NoticeRegion notice={notice} onClose={clear} />
}
