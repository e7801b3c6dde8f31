/**
 * Renewing the session: one POST /auth/refresh for as many refused requests as there are, in this tab and in the others.
 * A refresh token is good once; who presents it a second time is taken for a thief. So tabs take turns, and a try whose answer
 * got lost is repeated under the same Idempotency-Key, which the server knows again.
 */
import { messages } from '@shinobi/contract/messages'
import { readStored, writeStored } from './storage.ts'
import { uuidV7 } from './uuid-v7.ts'

/** `lost`: there is no session any more. `failed`: nobody could tell, the server did not answer. */
export type Renewal = 'renewed' | 'lost' | 'failed'

/** When a session was last renewed, by whichever tab. */
const RENEWED_AT = 'sessionRenewedAt'
/** The try that has had no answer yet. */
const ATTEMPT = 'sessionAttempt'
const TIMEOUT_MS = 20_000

/** Whether the server has given this browser a session (the `session` cookie, which scripts may read and take away). */
export const hasSessionHint = (): boolean => /(?:^|;\s*)session=/.test(document.cookie)

/** Without it the server does not count the other cookies: a log-out that works while the server is away. */
export function dropSessionHint(): void {
  document.cookie = 'session=; path=/; max-age=0'
}

let renewing: Promise<Renewal> | null = null

/** @param sentAt when the refused request was sent: if the session was renewed since, the request only has to be repeated */
export function renewSession(sentAt: number): Promise<Renewal> {
  renewing ??= takeTurns(() => renew(sentAt)).finally(() => {
    renewing = null
  })
  return renewing
}

async function renew(sentAt: number): Promise<Renewal> {
  const renewedAt = Number(readStored(RENEWED_AT))
  // A time to come was written before the clock was put right.
  if (renewedAt >= sentAt && renewedAt <= Date.now()) return 'renewed'
  if (!hasSessionHint()) return 'lost'
  const attempt = readStored(ATTEMPT) ?? uuidV7()
  writeStored(ATTEMPT, attempt)
  let status: number
  try {
    const answer = await fetch('/auth/refresh', {
      method: 'POST',
      credentials: 'same-origin',
      headers: { accept: 'application/json', 'idempotency-key': attempt },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    status = answer.status
  } catch {
    return 'failed'
  }
  if (status >= 500 || status === 429) return 'failed'
  writeStored(ATTEMPT, null)
  if (status === 200) {
    writeStored(RENEWED_AT, String(Date.now()))
    return 'renewed'
  }
  console.error(messages.token_refresh_failed)
  return 'lost'
}

/**
 * Tabs renew one after another; the second finds it done. Where there are no locks, or a tab was put to sleep with one, it is left
 * to the server's judgement.
 */
function takeTurns(work: () => Promise<Renewal>): Promise<Renewal> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request('session', { signal: AbortSignal.timeout(TIMEOUT_MS) }, work).catch(work)
}
