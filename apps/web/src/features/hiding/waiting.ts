/**
 * Changed rules that a member's account has not got yet. Each is under a key of its own, so that
 * two tabs never overwrite each other's; like the rules they are in local storage, which is written
 * before a page ends.
 */
import { isSameEntry, laterEntry, targetKey, type HidingEntry, type HidingTarget } from '@shinobi/contract/hiding-entry'
import { readStored, storedKeys, writeStored } from '../../lib/storage.ts'

/** The latest time that a change of a rule has here. */
const CLOCK = 'hidingClock'

const prefixOf = (memberId: string): string => `hidingWaits ${memberId} `
const keyOf = (memberId: string, target: HidingTarget): string => prefixOf(memberId) + targetKey(target)

/** The time of a change: after all that are known here, also if a clock is behind. */
export function nextChange(now: number): number {
  const at = Math.max(now, lastChange() + 1)
  noteChange(at)
  return at
}

const lastChange = (): number => Number(readStored(CLOCK)) || 0

/** Changes from now on are later than this one, which another device has made. */
export function noteChange(at: number): void {
  if (at > lastChange()) writeStored(CLOCK, String(at))
}

function parse(stored: string | null): HidingEntry | null {
  try {
    return stored === null ? null : (JSON.parse(stored) as HidingEntry)
  } catch {
    return null
  }
}

/** What waits about a target. */
export const waitingAbout = (memberId: string, target: HidingTarget): HidingEntry | null =>
  parse(readStored(keyOf(memberId, target)))

export function queueEntry(memberId: string, entry: HidingEntry): void {
  const before = waitingAbout(memberId, entry)
  const next = before === null ? entry : laterEntry(before, entry)
  writeStored(keyOf(memberId, entry), JSON.stringify(next))
}

/** Everything that waits, removals first: they make room for the others. */
export const readWaiting = (memberId: string): readonly HidingEntry[] =>
  storedKeys(prefixOf(memberId))
    .map((key) => parse(readStored(key)))
    .filter((entry) => entry !== null)
    .toSorted((a, b) => Number(a.traits !== null) - Number(b.traits !== null) || a.changedAt - b.changedAt)

/** Removes what was sent, unless it has changed meanwhile. */
export function dropWaiting(memberId: string, sent: readonly HidingEntry[]): void {
  for (const entry of sent) {
    const now = waitingAbout(memberId, entry)
    if (now !== null && isSameEntry(now, entry)) writeStored(keyOf(memberId, entry), null)
  }
}

export function emptyWaiting(memberId: string): void {
  for (const key of storedKeys(prefixOf(memberId))) writeStored(key, null)
}
