/** The switch that turns synchronising off in this browser; all of its tabs follow it. */
import { writeStored } from '../../lib/storage.ts'
import { announceStored, subscribeStored } from '../../lib/stored-changes.ts'
import { SYNC_KEY } from './follow-member.ts'

export const subscribeSyncSwitch = (listener: () => void): (() => void) => subscribeStored(SYNC_KEY, listener)

/** Switches synchronisation in this browser, also for members who log in later. */
export function switchSync(isOn: boolean): void {
  writeStored(SYNC_KEY, isOn ? null : 'off')
  announceStored(SYNC_KEY)
}
