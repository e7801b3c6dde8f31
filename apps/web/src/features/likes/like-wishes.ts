/**
 * What a visitor wants of each thread and post, on its way to the server. The screen shows the wish at once (SPEC §4); requests of
 * one target go one after another, and the last wish wins. Likes are idempotent, so that whatever became of a request whose answer
 * got lost, the next one leads to what is wanted.
 */
import type { Likeable } from './like-marks.ts'

export interface Like {
  readonly liked: boolean
  readonly likes: number
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

/** A double click, a hammering finger: presses this close to the one before belong to it. Systems take 500 ms for a double click. */
export const SAME_PRESS_MS = 500

export class LikeWishes {
  #ports: LikeWishesPorts
  #wishes = new Map<string, Like>()
  #pressed = new Map<string, number>()

  constructor(ports: LikeWishesPorts) {
    this.#ports = ports
  }

  /** A request of this target is under way: what is heard of it from elsewhere is not what the visitor wants to see. */
  isPending(id: string): boolean {
    return this.#wishes.has(id)
  }

  /**
   * One press: turns round what the screen shows, which was `now` if nothing is under way. Nobody who clicks twice means to take back
   * at once what they gave: presses in quick succession are one.
   * @param at time of the press in milliseconds
   * @returns whether it is wanted now; null for a press that belongs to the one before
   */
  press(of: Likeable, now: Like, at: number): boolean | null {
    const before = this.#pressed.get(of._id) ?? Number.NEGATIVE_INFINITY
    this.#pressed.set(of._id, at)
    if (at - before < SAME_PRESS_MS) return null
    const pending = this.#wishes.get(of._id)
    const { liked, likes } = pending ?? now
    const wish = { liked: !liked, likes: Math.max(0, likes + (liked ? -1 : 1)) }
    this.#wishes.set(of._id, wish)
    this.#ports.show(of, wish)
    if (pending === undefined) void this.#fulfil(of, liked)
    return wish.liked
  }

  async #fulfil(of: Likeable, liked: boolean): Promise<void> {
    const { send, settle, onProblem } = this.#ports
    const wish = () => this.#wishes.get(of._id)?.liked ?? false
    const end = (sure: boolean, likes: number | null) => {
      this.#wishes.delete(of._id)
      settle(of, sure, likes)
    }
    /** What the server is sure to hold; null after a request of which nobody knows what became. */
    let held: boolean | null = liked
    let sure = liked
    let likes: number | null = null
    while (wish() !== held) {
      const tried = wish()
      try {
        likes = await send(of, tried)
        held = tried
        sure = tried
      } catch (error) {
        if (wish() === tried) {
          end(sure, likes)
          return onProblem(error, of, tried)
        }
        held = null
      }
    }
    end(sure, likes)
  }
}
