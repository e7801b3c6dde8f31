import type { Transaction } from 'kysely'
import type { HeldAnswer } from '@shinobi/contract/posts'
import type { HeldPayload, Tables } from '../../db/tables.ts'
import type { Visitor } from '../../http/visitor.ts'

/** Why a text is held for a moderator. */
export interface HoldReason {
  readonly why: 'word' | 'shield' | 'image' | 'similar'
  /** The word that matched. */
  readonly detail: string | null
}

/** A text held for a moderator, with the place where it will be published. */
export interface HeldText extends HoldReason {
  readonly id: string
  readonly categoryId: string
  /** Null for a thread. */
  readonly threadId: string | null
  readonly clientId: string | null
  readonly payload: HeldPayload
  readonly at: Date
}

/** Storage of held texts, implemented by features/held, which depends on the modules that write. */
export interface Holding {
  /**
   * Stores a held post or thread.
   * @returns the answer for its writer; null when the same sending was held before
   * @throws ApiError too_many_requests when too many texts of this visitor are held, or came from
   * this address
   */
  hold(tx: Transaction<Tables>, visitor: Visitor, text: HeldText): Promise<HeldAnswer | null>
  /**
   * Whether a text of this visitor was held lately, on any server. Only then are their resends
   * looked up: for all others, no query checks whether a post was held before.
   */
  remembers(visitor: Visitor): boolean
  /**
   * The earlier answer to a held sending of this visitor, if there is one. @param threadId null for
   * a thread
   */
  find(visitor: Visitor, threadId: string | null, clientId: string): Promise<HeldAnswer | undefined>
}
