/**
 * Releases posts held by raid mode after a while, once their category is calm again, and deletes
 * decided ones.
 */
import { HELD_KEPT_DAYS } from '@shinobi/contract/limits'
import { ApiError } from '../../lib/api-error.ts'
import { createPoller } from '../../lib/poller.ts'
import type { HeldDeps } from './held.deps.ts'
import { clearPayloads, deleteDecided, deleteHeldOf, expireOrphans, selectReleasable } from './held.queries.ts'
import { decideHeld, type HeldDecision } from './held.service.ts'

export interface HeldRelease {
  /** Does all due work now. */
  sweep(): Promise<void>
  close(): Promise<void>
}

const SWEEP_EVERY_MS = 60_000
/** Held posts per statement. */
const BATCH = 100
const DAY_MS = 86_400_000

export function startHeldRelease(deps: HeldDeps): HeldRelease {
  const { db, now, log, settings, shields, images } = deps
  let closed = false

  async function release(): Promise<void> {
    const { holdReleaseMinutes } = settings.current
    if (holdReleaseMinutes === 0) return
    const before = new Date(now() - holdReleaseMinutes * 60_000)
    let after: string | null = null
    while (!closed) {
      const rows: { id: string; categoryId: string }[] = await selectReleasable(db, { before, after, limit: BATCH })
      for (const { id, categoryId } of rows) {
        if ((shields.find(categoryId)?.step ?? 0) === 0) await decideAlone(id, { action: 'approve' })
      }
      if (rows.length < BATCH) return
      after = rows.at(-1)!.id
    }
  }

  /**
   * Decides without a moderator. What can never be published expires; posts for a locked thread
   * keep waiting.
   */
  async function decideAlone(id: string, decision: HeldDecision): Promise<void> {
    try {
      await decideHeld(deps, null, id, decision)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // Another server or a moderator decided first.
      if (error.code === 'already_done' || error.code === 'locked') return
      if (decision.action === 'approve') await decideAlone(id, { action: 'expire' })
    }
  }

  async function clear(): Promise<void> {
    let cleared = BATCH
    while (!closed && cleared === BATCH) {
      const rows = await clearPayloads(db, new Date(now() - DAY_MS), BATCH)
      for (const image of rows) if (image !== null) await images.remove(image)
      cleared = rows.length
    }
    await deleteDecided(db, new Date(now() - HELD_KEPT_DAYS * DAY_MS))
  }

  async function sweep(): Promise<void> {
    await release()
    await expireOrphans(db, new Date(now()))
    await clear()
  }

  const poller = createPoller({ name: 'the held posts', everyMs: SWEEP_EVERY_MS, poll: sweep, log })
  return {
    sweep: poller.poll,
    close() {
      closed = true
      return poller.close()
    },
  }
}

/** Deletes the held posts of a deleted thread. @returns false: nothing is left */
export async function deleteHeldOfThread(
  { db, images }: Pick<HeldDeps, 'db' | 'images'>,
  threadId: string,
): Promise<boolean> {
  for (const image of await deleteHeldOf(db, threadId)) await images.remove(image)
  return false
}
