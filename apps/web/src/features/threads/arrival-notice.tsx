import { messages } from '@shinobi/contract/messages'
import { useEffect } from 'react'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'

/** State of the navigation from the form for a new thread to its category's list. */
export interface ThreadArrival {
  /** Id of the new thread; null for one held for a moderator. */
  readonly made: string | null
}

/** Confirms to the writer that the thread exists, and where. */
export function ArrivalNotice({ made }: ThreadArrival) {
  const { notice, show, clear } = useTimedNotice()
  useEffect(() => {
    if (made === null) return show(messages.thread_held, 'info')
    document.getElementById(made)?.scrollIntoView({ block: 'nearest' })
    show(messages.thread_created, 'success')
  }, [made, show])
  return <NoticeRegion notice={notice} onClose={clear} />
}
