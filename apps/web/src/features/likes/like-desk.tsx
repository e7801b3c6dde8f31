import { LIKE_ANIMATION_MS } from '@shinobi/contract/limits'
import { useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useNavigate, useParams } from 'react-router'
import { paths } from '../../app/paths.ts'
import { sessionState, subscribeSession, type SessionState } from '../../lib/session.ts'
import { useMember } from '../../lib/use-session.ts'
import { Flames } from '../../ui/motifs/flames.tsx'
import { Smoke } from '../../ui/motifs/smoke.tsx'
import { motionIsReduced } from '../../ui/motion.ts'
import { likedQuery } from './api.ts'
import { openDesk, type LikePress } from './like-marks.ts'
import { LikeWork } from './like-work.ts'

const SMOKE_MS = 600

export interface LikeDeskProps {
  onProblem: (message: string) => void
}

/** Handles the presses of a page, and marks what its member has liked. Draws nothing. */
export function LikeDesk({ onProblem }: LikeDeskProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const { threadId } = useParams()
  const userId = useMember()?._id
  const isMember = userId !== undefined
  const { data: threads } = useQuery({ ...likedQuery(userId ?? ''), enabled: isMember })
  const isInThread = isMember && threadId !== undefined
  const { data: posts } = useQuery({ ...likedQuery(userId ?? '', threadId ?? ''), enabled: isInThread })
  useEffect(() => {
    if (userId === undefined) closeWork()
    // Who cannot be asked has liked nothing (SPEC §8).
    else workOf(client, userId).showLiked([...(threads ?? []), ...(posts ?? [])])
  }, [client, userId, threads, posts])

  const handle = useEffectEvent(async ({ of, button, at }: LikePress) => {
    const { user } = await knownSession()
    if (user === null) {
      // Gone elsewhere while it was unclear who it is.
      if (button.isConnected) void navigate(paths.login(placeOf(button)))
      return
    }
    const work = workOf(client, user._id)
    work.onProblem = onProblem
    const wanted = work.press(of, at)
    if (wanted === null || motionIsReduced()) return
    if (wanted) work.play(of._id, <Flames />, LIKE_ANIMATION_MS)
    else work.play(of._id, <Smoke />, SMOKE_MS)
  })
  useEffect(() => openDesk((press) => void handle(press)), [])
  useEffect(() => {
    if (current !== null) current.onProblem = onProblem
  }, [onProblem])
  return null
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

/** Where to come back to: the row or the post of the button. */
function placeOf(button: HTMLElement): string {
  const row = button.closest('[data-keep]')?.getAttribute('data-keep')
  return location.pathname + location.search + (row == null ? '' : `#${row}`)
}
