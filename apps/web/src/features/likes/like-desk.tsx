import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import { sessionState, subscribeSession, type SessionState } from '../../lib/session.ts'
import { useMember, useSession } from '../../lib/use-session.ts'
import { likedQuery } from './api.ts'
import { forgetWish, takeWish } from './kept-wish.ts'
import { openDesk, type LikePress } from './like-marks.ts'
import { LikeSlip } from './like-slip.tsx'
import { LikeWork } from './like-work.tsx'

export interface LikeDeskProps {
  onProblem: (message: string) => void
}

/** Handles the presses of a page, and marks what its member has liked. Draws nothing but the slip for those who are not logged in. */
export function LikeDesk({ onProblem }: LikeDeskProps) {
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
  const deskWork = useEffectEvent((id: string) => {
    const work = workOf(client, id)
    work.onProblem = onProblem
    return work
  })
  const isMarked = !threads.isPending && (!isInThread || !posts.isPending)
  useEffect(() => {
    // Came back, or went on reading, without logging in.
    if (status === 'out') forgetWish()
    if (userId === undefined || !isMarked) return
    const wish = takeWish(pathname + search)
    if (wish !== null) deskWork(userId).likeOnce(wish)
  }, [status, userId, isMarked, pathname, search])
  const [asked, setAsked] = useState<LikePress | null>(null)

  const handle = useEffectEvent(async (press: LikePress) => {
    const { user } = await knownSession()
    if (user !== null) deskWork(user._id).press(press.of)
    // Unless they have gone elsewhere while it was unclear who it is.
    else if (press.button.isConnected) setAsked(press)
  })
  useEffect(() => openDesk((press) => void handle(press)), [])
  useEffect(() => {
    if (current !== null) current.onProblem = onProblem
  }, [onProblem])
  if (asked === null || isMember) return null
  return <LikeSlip press={asked} onClose={() => setAsked(null)} />
}

/** Outlives the page: what was pressed on the list is not forgotten in the thread. */
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

/** Who it is, as soon as that is known. Who was here last time is taken for being here still: the server says otherwise soon enough. */
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
