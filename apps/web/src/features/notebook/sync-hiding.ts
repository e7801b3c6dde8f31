/**
 * Keeps the rules of hiding of this browser and those of the member's account alike; sync.ts says
 * when. What could not be sent waits beside the rules.
 */
import type { MergedHiding, StoredHiding } from '@shinobi/contract/hiding'
import type { HidingEntry } from '@shinobi/contract/hiding-entry'
import { HIDING_BATCH } from '@shinobi/contract/limits'
import { ApiError, apiGet, apiSend } from '../../lib/api-client.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { adoptEntries, queueAllRules, settleTimes } from '../hiding/rules.ts'
import { dropWaiting, emptyWaiting, readWaiting } from '../hiding/waiting.ts'

const URL = '/api/notebook/hiding'
/** Names the member, because somebody else may have logged in meanwhile: then it is refused. */
const urlFor = (memberId: string): string => `${URL}?memberId=${memberId}`
/** A browser finishes requests of up to 64 KiB when their page ends. */
const BATCH_BYTES = 50_000

/**
 * How far a member's rules have been read here. Of each member, so that what somebody removes here
 * without the account does not return with the next log-in.
 */
const sinceKey = (memberId: string): string => `hidingSince ${memberId}`

let refusal: ApiError | null = null

/** Why the account does not take what waits: it is full. Null if it does. */
export const hidingRefusal = (): ApiError | null => refusal

/** @param goesOn whether that member is still logged in */
export async function pushHiding(memberId: string, goesOn: () => boolean): Promise<void> {
  refusal = await sendWaiting(memberId, goesOn)
}

/** @returns the refusal of a full account: all that waits is sent again with the next change */
async function sendWaiting(memberId: string, goesOn: () => boolean): Promise<ApiError | null> {
  let most = HIDING_BATCH
  while (goesOn()) {
    const entries = fitting(readWaiting(memberId).slice(0, most))
    if (entries.length === 0) return null
    try {
      const { at } = await apiSend<MergedHiding>(
        'POST',
        urlFor(memberId),
        { entries },
        { background: true, keepalive: true },
      )
      settleTimes(entries, at)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'full') return error
      if (error.status !== 400) throw error
      // What the server will never take must not hold up the others.
      if (entries.length > 1) {
        most = 1
        continue
      }
    }
    dropWaiting(memberId, entries)
  }
  return null
}

const utf8 = new TextEncoder()

/** As many of the first entries as one request can carry; at least one. */
function fitting(entries: readonly HidingEntry[]): readonly HidingEntry[] {
  let size = 0
  const count = entries.findIndex((entry) => (size += utf8.encode(JSON.stringify(entry)).length) > BATCH_BYTES)
  return count === -1 ? entries : entries.slice(0, Math.max(1, count))
}

export async function pullHiding(memberId: string, goesOn: () => boolean): Promise<void> {
  for (let more = true; more && goesOn();) {
    const answer = await apiGet<StoredHiding>(`${urlFor(memberId)}&since=${Number(readStored(sinceKey(memberId)))}`)
    // Not after a log-out during the request.
    if (!goesOn()) return
    adoptEntries(memberId, answer.entries, Date.now())
    writeStored(sinceKey(memberId), String(answer.since))
    more = answer.more
  }
}

/** Lets all rules of this browser wait for the account. */
export const queueHiding = (memberId: string): void => queueAllRules(memberId, Date.now())

/** Whether rules wait to be sent. */
export const isHidingWaiting = (memberId: string): boolean => readWaiting(memberId).length > 0

/** Deletes the rules that are stored with the account, and what waits to be sent. */
export async function clearHiding(memberId: string): Promise<void> {
  await apiSend('DELETE', urlFor(memberId))
  emptyWaiting(memberId)
}

/** How many rules are stored with the account. */
export const countHiding = async (context: { signal?: AbortSignal }): Promise<number> =>
  (await apiGet<StoredHiding>(`${URL}?since=${Number.MAX_SAFE_INTEGER}`, context)).total
