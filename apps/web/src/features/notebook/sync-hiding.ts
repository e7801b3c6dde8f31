/**
 * Keeps the rules of hiding of this browser and those of the member's account alike; sync.ts says
 * when. What could not be sent waits beside the rules.
 */
import type { MergedHiding, StoredHiding } from '@shinobi/contract/hiding'
import { HIDING_BATCH } from '@shinobi/contract/limits'
import { ApiError, apiGet, apiSend } from '../../lib/api-client.ts'
import { readStored, writeStored } from '../../lib/storage.ts'
import { adoptEntries, queueAllRules, settleTimes } from '../hiding/rules.ts'
import { dropWaiting, emptyWaiting, readWaiting } from '../hiding/waiting.ts'
import { sendInBatches } from './send-batches.ts'

const URL = '/api/notebook/hiding'
/** Names the member, because somebody else may have logged in meanwhile: then it is refused. */
const urlFor = (memberId: string): string => `${URL}?memberId=${memberId}`

/**
 * How far a member's rules have been read here. Of each member, so that what somebody removes here
 * without the account does not return with the next log-in.
 */
const sinceKey = (memberId: string): string => `hidingSince ${memberId}`

let refusal: ApiError | null = null

/** Why the account does not take what waits: it is full. Null if it does. */
export const hidingRefusal = (): ApiError | null => refusal

/**
 * A full account's refusal is kept: all that waits is sent again with the next change.
 * @param goesOn whether that member is still logged in
 */
export async function pushHiding(memberId: string, goesOn: () => boolean): Promise<void> {
  try {
    await sendInBatches({
      limit: HIDING_BATCH,
      goesOn,
      read: (most) => readWaiting(memberId).slice(0, most),
      async send(entries) {
        const options = { background: true, keepalive: true }
        const { at } = await apiSend<MergedHiding>('POST', urlFor(memberId), { entries }, options)
        settleTimes(entries, at)
      },
      drop: (entries) => dropWaiting(memberId, entries),
    })
    refusal = null
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'full')) throw error
    refusal = error
  }
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
