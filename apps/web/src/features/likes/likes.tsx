import { messages } from '@shinobi/contract/messages'
import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react'
import { inTime } from '../../lib/in-time.ts'
import { useMember } from '../../lib/use-session.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import type { LikeDeskProps } from './like-desk.tsx'
import { deskCalls, followLikes, takePresses } from './like-marks.ts'

/**
 * What stands behind the like buttons of a page, once per page: it is fetched for members, and for others when a pointer comes
 * near a button.
 */
export function Likes() {
  const isMember = useMember() !== null
  const calls = useSyncExternalStore(followLikes, deskCalls, () => 0)
  const { notice, show, clear } = useTimedNotice()
  const [Desk, setDesk] = useState<ComponentType<LikeDeskProps> | null>(null)
  useEffect(() => {
    if (!isMember && calls === 0) return
    inTime(() => import('./like-desk.tsx')).then(
      ({ LikeDesk }) => setDesk(() => LikeDesk),
      () => {
        if (takePresses().length > 0) show(messages.like_outer_failed)
      },
    )
  }, [isMember, calls, show])
  return (
    <>
      {Desk && <Desk onProblem={show} />}
      <NoticeRegion notice={notice} onClose={clear} />
    </>
  )
}
