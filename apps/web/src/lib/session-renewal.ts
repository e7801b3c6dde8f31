/**
 * Renewal of the session: one POST /auth/refresh for any number of refused requests, in all tabs. A
 * refresh token is valid once; a second use counts as theft. So tabs take turns, and an attempt
 * whose answer was lost is repeated with the same Idempotency-Key, which the server recognizes.
 */
import { messages } from '@shinobi/contract/messages'
import { readStored, writeStored } from './storage.ts'
import { uuidV7 } from './uuid-v7.ts'

/** `lost`: there is no session any more. `failed`: unknown, because the server did not answer. */
export type Renewal = 'renewed' | 'lost' | 'failed'

/** Storage key of the time of the last renewal, by any tab. */
const RENEWED_AT = 'sessionRenewedAt'
/** Storage key of the attempt that has had no answer yet. */
const ATTEMPT = 'sessionAttempt'
const TIMEOUT_MS = 20_000

/**
 * Whether the server has given this browser a session (the `session` cookie, which scripts can read
 * and delete).
 */
export const hasSessionHint = (): boolean => /(?:^|;\s*)session=/.test(document.cookie)

/**
 * Without this cookie the server ignores the others, so a log-out works even while the server is
 * down.
 */
export function dropSessionHint(): void {
  document.cookie = 'session=; path=/; max-age=0'
}

let renewing: Promise<Renewal> | null = null

/**
 * @param sentAt when the refused request was sent: if the session was renewed since, the request
 * only has to be repeated
 */
export function renewSession(sentAt: number): Promise<Renewal> {
  renewing ??= takeTurns(() => renew(sentAt)).finally(() => {
    renewing = null
  })
  return renewing
}

async function renew(sentAt: number): Promise<Renewal> {
  const renewedAt = Number(readStored(RENEWED_AT))
  // A time in the future was stored before the clock was corrected.
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
 * Tabs renew one after another; the second finds the renewal done. Without Web Locks, or when a
 * suspended tab holds the lock, the server decides.
 */
function takeTurns(work: () => Promise<Renewal>): Promise<Renewal> {
  if (!('locks' in navigator)) return work()
  return navigator.locks.request('session', { signal: AbortSignal.timeout(TIMEOUT_MS) }, work).catch(work)
}
