/**
 * What a visitor wants of each thread and post, on its way to the server. The screen shows the wish at once; requests of
 * one target go one after another, and the last wish wins. Likes are idempotent, so that whatever became of a request whose answer
 * got lost, the next one leads to what is wanted.
 */
import type { Likeable } from './like-marks.ts'

export interface Like {
  readonly liked: boolean
  readonly likes: number
}

/** What the screen shows of a target, and what the server was last asked for. */
interface Wish {
  readonly of: Likeable
  like: Like
  tried: boolean
}

export interface LikeWishesPorts {
  /** Resolves with the server's count. */
  send: (of: Likeable, liked: boolean) => Promise<number>
  /** What the screen shows meanwhile. */
  show: (of: Likeable, like: Like) => void
  /** It is over: the server has it as `liked`; `likes` is its count, or null when it answered nothing. */
  settle: (of: Likeable, liked: boolean, likes: number | null) => void
  /** The last wish could not be had: told after `settle`. */
  onProblem: (error: unknown, of: Likeable, liked: boolean) => void
}

export class LikeWishes {
  #ports: LikeWishesPorts
  #wishes = new Map<string, Wish>()

  constructor(ports: LikeWishesPorts) {
    this.#ports = ports
  }

  /** A request of this target is under way: what is heard of it from elsewhere is not what the visitor wants to see. */
  isPending(id: string): boolean {
    return this.#wishes.has(id)
  }

  /**
   * One press: turns round what the screen shows, which was `now` if nothing is under way. Each press counts, however quickly it
   * follows the one before.
   * @returns whether it is wanted now
   */
  press(of: Likeable, now: Like): boolean {
    const pending = this.#wishes.get(of._id)
    const { liked, likes } = pending?.like ?? now
    const like = { liked: !liked, likes: Math.max(0, likes + (liked ? -1 : 1)) }
    const wish = pending ?? { of, like, tried: liked }
    wish.like = like
    this.#ports.show(of, like)
    if (pending === undefined) {
      this.#wishes.set(of._id, wish)
      void this.#fulfil(wish, liked)
    }
    return like.liked
  }

  /** The page goes, and nobody will wait for the answers that are due: sends what is wanted of whatever was asked for otherwise. */
  flush(): void {
    for (const { of, like, tried } of this.#wishes.values())
      if (like.liked !== tried) this.#ports.send(of, like.liked).catch(() => {})
  }

  async #fulfil(wish: Wish, liked: boolean): Promise<void> {
    const { of } = wish
    const { send, settle, onProblem } = this.#ports
    const end = (sure: boolean, likes: number | null) => {
      this.#wishes.delete(of._id)
      settle(of, sure, likes)
    }
    /** What the server is sure to hold; null after a request of which nobody knows what became. */
    let held: boolean | null = liked
    let sure = liked
    let likes: number | null = null
    while (wish.like.liked !== held) {
      const tried: boolean = wish.like.liked
      wish.tried = tried
      try {
        likes = await send(of, tried)
        held = tried
        sure = tried
      } catch (error) {
        if (wish.like.liked === tried) {
          end(sure, likes)
          return onProblem(error, of, tried)
        }
        held = null
      }
    }
    end(sure, likes)
  }
}
