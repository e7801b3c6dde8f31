import { useEffect } from 'react'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'

/**
 * Tells a visitor who was shown as a member why the session has ended. /login has a permanent
 * message instead.
 */
export function SessionNotice({ text }: { text: string }) {
  const { notice, show, clear } = useTimedNotice()
  useEffect(() => show(text), [show, text])
  return <NoticeRegion notice={notice} onClose={clear} />
}
