/**
 * Optimistic likes, shown before the server has them. Requests of one target are sequential, and
 * the last press wins. Likes are idempotent: whatever happened to a request without an answer, the
 * next one leads to the wanted state.
 */
import type { Likeable } from './like-marks.ts'

export interface Like {
  readonly liked: boolean
  readonly likes: number
}

/** The displayed state of a target, and the last request. */
interface PendingLike {
  readonly of: Likeable
  like: Like
  tried: boolean
}

export interface OptimisticLikesPorts {
  /** Resolves with the server's count. */
  send: (of: Likeable, liked: boolean) => Promise<number>
  /** Shows the wanted state meanwhile. */
  show: (of: Likeable, like: Like) => void
  /**
   * The final state of the server is `liked`; `likes` is its count, or null when no request
   * succeeded.
   */
  settle: (of: Likeable, liked: boolean, likes: number | null) => void
  /** The last request failed: called after `settle`. */
  onProblem: (error: unknown, of: Likeable, liked: boolean) => void
}

export class OptimisticLikes {
  #ports: OptimisticLikesPorts
  #pending = new Map<string, PendingLike>()

  constructor(ports: OptimisticLikesPorts) {
    this.#ports = ports
  }

  /**
   * A request of this target is pending: news from elsewhere must not replace the state that the
   * visitor wants.
   */
  isPending(id: string): boolean {
    return this.#pending.has(id)
  }

  /**
   * Inverts the displayed state, which was `now` if nothing is pending. Each press counts, however
   * quickly it follows the one before.
   * @returns whether a like is wanted now
   */
  press(of: Likeable, now: Like): boolean {
    const known = this.#pending.get(of._id)
    const { liked, likes } = known?.like ?? now
    const like = { liked: !liked, likes: Math.max(0, likes + (liked ? -1 : 1)) }
    const pending = known ?? { of, like, tried: liked }
    pending.like = like
    this.#ports.show(of, like)
    if (known === undefined) {
      this.#pending.set(of._id, pending)
      void this.#send(pending, liked)
    }
    return like.liked
  }

  /**
   * The page is being left, so pending answers will not be processed: sends each wanted state that
   * differs from the last request.
   */
  flush(): void {
    for (const { of, like, tried } of this.#pending.values())
      if (like.liked !== tried) this.#ports.send(of, like.liked).catch(() => {})
  }

  async #send(pending: PendingLike, liked: boolean): Promise<void> {
    const { of } = pending
    const { send, settle, onProblem } = this.#ports
    const end = (sure: boolean, likes: number | null) => {
      this.#pending.delete(of._id)
      settle(of, sure, likes)
    }
    /** The known state of the server; null after a request whose outcome is unknown. */
    let held: boolean | null = liked
    let sure = liked
    let likes: number | null = null
    while (pending.like.liked !== held) {
      const tried: boolean = pending.like.liked
      pending.tried = tried
      try {
        likes = await send(of, tried)
        held = tried
        sure = tried
      } catch (error) {
        if (pending.like.liked === tried) {
          end(sure, likes)
          return onProblem(error, of, tried)
        }
        held = null
      }
    }
    end(sure, likes)
  }
}
