/** The switch that turns synchronising off in this browser; all of its tabs follow it. */
import { writeStored } from '../../lib/storage.ts'
import { SYNC_KEY } from './follow-member.ts'

export function subscribeSyncSwitch(listener: () => void): () => void {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

/** Switches synchronisation in this browser, also for members who log in later. */
export function switchSync(isOn: boolean): void {
  writeStored(SYNC_KEY, isOn ? null : 'off')
  // Browsers tell the other tabs only.
  dispatchEvent(new StorageEvent('storage', { key: SYNC_KEY }))
}
