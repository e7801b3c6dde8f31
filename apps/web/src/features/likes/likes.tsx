import { messages } from '@shinobi/contract/messages'
import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react'
import { loadChunk } from '../../lib/load-chunk.ts'
import { useMember } from '../accounts/use-session.ts'
import { NoticeRegion, useTimedNotice } from '../../ui/notice.tsx'
import type { LikeHandlerProps } from './like-handler.tsx'
import { handlerCalls, followLikes, takePresses } from './like-marks.ts'

/**
 * Loads the handler of the like buttons, once per page: at once for members, for others when a
 * pointer comes near a button.
 */
export function Likes() {
  const isMember = useMember() !== null
  const calls = useSyncExternalStore(followLikes, handlerCalls, () => 0)
  const { notice, show, clear } = useTimedNotice()
  const [Handler, setHandler] = useState<ComponentType<LikeHandlerProps> | null>(null)
  useEffect(() => {
    if (!isMember && calls === 0) return
    loadChunk(() => import('./like-handler.tsx')).then(
      ({ LikeHandler }) => setHandler(() => LikeHandler),
      () => {
        if (takePresses().length > 0) show(messages.like_outer_failed)
      },
    )
  }, [isMember, calls, show])
  return (
    <>
      {Handler && <Handler onProblem={show} />}
      <NoticeRegion notice={notice} onClose={clear} />
    </>
  )
}
