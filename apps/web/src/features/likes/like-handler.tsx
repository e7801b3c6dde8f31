import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { sessionState, subscribeSession, type SessionState } from '../accounts/session.ts'
import { useMember, useSession } from '../accounts/use-session.ts'
import { likedQuery } from './api.ts'
import { forgetLike, takeLike } from './kept-like.ts'
import { handlePresses, type LikePress } from './like-marks.ts'
import { LoginPopover } from './login-popover.tsx'
import { LikeWork } from './like-work.tsx'

export interface LikeHandlerProps {
  onProblem: (message: string) => void
}

/**
 * Handles the presses of a page, and marks what its member has liked. Renders only the popover for
 * visitors who are not logged in.
 */
export function LikeHandler({ onProblem }: LikeHandlerProps) {
  const client = useQueryClient()
  const { threadId } = useParams()
  const { pathname, search } = useLocation()
  const { status } = useSession()
  const userId = useMember()?._id
  const isMember = userId !== undefined
  const threads = useQuery({ ...likedQuery(userId ?? ''), enabled: isMember })
  const isInThread = isMember && threadId !== undefined
  const posts = useQuery({ ...likedQuery(userId ?? '', threadId ?? ''), enabled: isInThread })
  useEffect(() => {
    if (userId === undefined) closeWork()
    // A list that cannot be loaded counts as empty, without an error (docs/product.md#likes).
    else workOf(client, userId).showLiked([...(threads.data ?? []), ...(posts.data ?? [])])
  }, [client, userId, threads.data, posts.data])
  const workFor = useEffectEvent((id: string) => {
    const work = workOf(client, id)
    work.onProblem = onProblem
    return work
  })
  const isMarked = !threads.isPending && (!isInThread || !posts.isPending)
  useEffect(() => {
    // The visitor returned, or continued reading, without logging in.
    if (status === 'out') forgetLike()
    if (userId === undefined || !isMarked) return
    const like = takeLike(pathname + search)
    if (like !== null) workFor(userId).likeOnce(like)
  }, [status, userId, isMarked, pathname, search])
  const [asked, setAsked] = useState<LikePress | null>(null)

  const handle = useEffectEvent(async (press: LikePress) => {
    const { user } = await knownSession()
    if (user !== null) workFor(user._id).press(press.of)
    // Unless the visitor has left the page while the session was unknown.
    else if (press.button.isConnected) setAsked(press)
  })
  useEffect(() => handlePresses((press) => void handle(press)), [])
  useEffect(() => {
    if (current !== null) current.onProblem = onProblem
  }, [onProblem])
  if (asked === null || isMember) return null
  return <LoginPopover press={asked} onClose={() => setAsked(null)} />
}

/** Module state, so that a like on the list is still pending after navigation to the thread. */
let current: LikeWork | null = null

function workOf(client: QueryClient, userId: string): LikeWork {
  if (current?.userId === userId) return current
  closeWork()
  current = new LikeWork(client, userId)
  return current
}

function closeWork(): void {
  current?.close()
  current = null
}

/**
 * Resolves when the session is known. The last session is assumed to be valid, because the server
 * soon corrects it otherwise.
 */
function knownSession(): Promise<SessionState> {
  const isKnown = ({ status, user }: SessionState) => status !== 'loading' || user !== null
  if (isKnown(sessionState())) return Promise.resolve(sessionState())
  return new Promise((resolve) => {
    const stop = subscribeSession(() => {
      if (!isKnown(sessionState())) return
      stop()
      resolve(sessionState())
    })
  })
}
