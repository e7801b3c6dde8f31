import { messages } from '@shinobi/contract/messages'
import { ApiError } from '../../lib/api-error.ts'
import type { WriteKind } from '../shields/shields.service.ts'
import { createLru } from '../../lib/lru.ts'

/** Seconds that have to pass: since the last one of the kind (a setting), and since anything was written (raid mode). */
export interface Gaps {
  readonly own: number
  readonly shield: number
}

/** When somebody wrote last; in memory, so a restart forgets. */
export interface Cooldowns {
  /** @throws ApiError too_many_requests with the time to wait */
  check(actor: string, kind: WriteKind, gaps: Gaps): void
  /** Begins to count, before it is written: two at once are one too many. @returns what takes it back when nothing was written */
  start(actor: string, kind: WriteKind): () => void
}

/** Longer than the longest cooldown that can be set nobody need be remembered, and these many are a busy day. */
const ACTORS_MAX = 50_000

export function createCooldowns(now: () => number): Cooldowns {
  const lasts = createLru<string, Record<WriteKind, number>>(ACTORS_MAX)
  const lastOf = (actor: string): Record<WriteKind, number> =>
    lasts.get(actor) ?? { post: -Infinity, thread: -Infinity }

  return {
    check(actor, kind, { own, shield }) {
      if (own === 0 && shield === 0) return
      const last = lastOf(actor)
      const ownWait = own === 0 ? 0 : last[kind] + own * 1_000 - now()
      const shieldWait = shield === 0 ? 0 : Math.max(last.post, last.thread) + shield * 1_000 - now()
      const wait = Math.ceil(Math.max(ownWait, shieldWait) / 1_000)
      if (wait <= 0) return
      const message = shieldWait > ownWait ? messages.shield_cooldown(wait) : messages.cooldown(wait)
      throw new ApiError('too_many_requests', message, wait)
    },
    start(actor, kind) {
      const before = lastOf(actor)
      const at = now()
      lasts.set(actor, { ...before, [kind]: at })
      return () => {
        const last = lastOf(actor)
        if (last[kind] === at) lasts.set(actor, { ...last, [kind]: before[kind] })
      }
    },
  }
}
