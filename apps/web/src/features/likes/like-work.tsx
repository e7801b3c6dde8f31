/**
 * The likes of one member in this tab: marks on the buttons, pending likes, counts in the query
 * cache, and messages to and from the member's other tabs.
 */
import { LIKE_ANIMATION_MS } from '@shinobi/contract/limits'
import { notifyManager, type QueryClient, type QueryKey } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { Flames } from '../../ui/motifs/flames.tsx'
import { Smoke } from '../../ui/motifs/smoke.tsx'
import { motionIsReduced } from '../../ui/motion.ts'
import { likedQuery, likeProblem, sendLike } from './api.ts'
import { FreshLikes } from './fresh-likes.ts'
import { likeMark, markLikes, type Likeable, type LikeMark } from './like-marks.ts'
import { OptimisticLikes } from './optimistic-likes.ts'
import { replaceLikes } from './replace-likes.ts'

const SMOKE_MS = 600

/** A message between tabs: the server's answer. */
interface LikeNews {
  readonly userId: string
  readonly id: string
  readonly threadId: string | undefined
  readonly liked: boolean
  readonly likes: number
}

export class LikeWork {
  readonly userId: string
  /** Shows the error on the current page. */
  onProblem: (message: string) => void = () => {}
  #client: QueryClient
  #tabs = new BroadcastChannel('likes')
  #optimistic: OptimisticLikes
  #fresh: FreshLikes
  #closed = false
  #flush = () => this.#optimistic.flush()

  constructor(client: QueryClient, userId: string) {
    this.#client = client
    this.userId = userId
    this.#fresh = new FreshLikes(client)
    addEventListener('pagehide', this.#flush)
    this.#optimistic = new OptimisticLikes({
      send: sendLike,
      show: (of, like) => this.#mark(of._id, like),
      settle: (of, liked, likes) => this.#settle(of, liked, likes),
      onProblem: (error, of, liked) => {
        // A visitor whose session has ended is redirected to the log-in, which gives the reason.
        const isOut = error instanceof ApiError && error.status === 401
        if (!this.#closed && !isOut) this.onProblem(likeProblem(error, of, liked))
        // The outcome of the request is unknown.
        void client.invalidateQueries(likedQuery(userId, of.threadId))
      },
    })
    this.#tabs.addEventListener('message', ({ data }: MessageEvent<LikeNews>) => {
      if (data.userId === userId && !this.#optimistic.isPending(data.id)) this.#keep(data)
    })
  }

  /** Adds or removes the like, and updates the button. */
  press(of: Likeable): void {
    const { queryKey } = likedQuery(this.userId, of.threadId)
    // A pending answer would not contain this change.
    void this.#client.cancelQueries({ queryKey })
    const { liked = false, likes = of.likes } = likeMark(of._id) ?? {}
    const wanted = this.#optimistic.press(of, { liked, likes })
    if (motionIsReduced()) return
    if (wanted) this.#play(of._id, <Flames />, LIKE_ANIMATION_MS)
    else this.#play(of._id, <Smoke />, SMOKE_MS)
  }

  /** Adds the like of a visitor who pressed before logging in. An existing like is kept. */
  likeOnce(of: Likeable): void {
    if (likeMark(of._id)?.liked !== true) this.press(of)
  }

  /** Marks exactly these. */
  showLiked(ids: readonly string[]): void {
    const liked = new Set(ids)
    markLikes((marks) => {
      for (const [id, { effect }] of marks) {
        if (this.#optimistic.isPending(id) || liked.has(id)) continue
        if (effect === undefined) marks.delete(id)
        else marks.set(id, { liked: false, effect })
      }
      for (const id of liked)
        if (marks.get(id)?.liked !== true && !this.#optimistic.isPending(id)) marks.set(id, { liked: true })
    })
  }

  /** Plays an animation over a button. */
  #play(id: string, effect: ReactNode, ms: number): void {
    this.#mark(id, { effect })
    setTimeout(() => {
      if (likeMark(id)?.effect === effect) this.#mark(id, { effect: undefined })
    }, ms)
  }

  /** The member has logged out. Pending requests still reach the server. */
  close(): void {
    this.#closed = true
    removeEventListener('pagehide', this.#flush)
    this.#tabs.close()
    this.#fresh.close()
    markLikes((marks) => marks.clear())
  }

  #settle(of: Likeable, liked: boolean, likes: number | null): void {
    const { _id: id, threadId } = of
    if (likes === null) return this.#mark(id, { liked, likes: undefined })
    const news: LikeNews = { userId: this.userId, id, threadId, liked, likes }
    this.#keep(news)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, which is the origin's own
    if (!this.#closed) this.#tabs.postMessage(news)
  }

  #keep({ id, threadId, liked, likes }: LikeNews): void {
    const { queryKey } = likedQuery(this.userId, threadId)
    this.#fresh.keep(id, liked, likes)
    notifyManager.batch(() => {
      replaceLikes(this.#client, { [id]: likes })
      if (this.#client.getQueryData(queryKey) === undefined) void this.#readAnew(queryKey)
      else
        this.#client.setQueryData(queryKey, (ids = []) => {
          const others = ids.filter((other) => other !== id)
          return liked ? [id, ...others] : others
        })
      // Together with the new counts, so that the old one is not visible in between.
      notifyManager.schedule(() => this.#mark(id, { liked, likes: undefined }))
    })
  }

  /** An answer that is on its way may have been read before the like. */
  async #readAnew(queryKey: QueryKey): Promise<void> {
    await this.#client.cancelQueries({ queryKey })
    await this.#client.invalidateQueries({ queryKey })
  }

  #mark(id: string, change: { [K in keyof LikeMark]?: LikeMark[K] | undefined }): void {
    if (this.#closed) return
    const { liked = false, likes, effect } = { ...likeMark(id), ...change }
    markLikes((marks) => {
      if (!liked && likes === undefined && effect === undefined) marks.delete(id)
      else marks.set(id, { liked, ...(likes !== undefined && { likes }), ...(effect !== undefined && { effect }) })
    })
  }
}
