/**
 * The visitor's own switch for decorative motion (footer: 演出を止める), beside the system's setting.
 * It stands as `data-motion` on <html>, where the style sheet obeys it, and in local storage under `motion`.
 */
import { readStored, writeStored } from '../lib/storage.ts'

const KEY = 'motion'
const CHANGED = 'shinobi:motion'

/** Puts the stored choice on <html>. The client entry calls it before hydration, so that nothing moves first. */
export function applyStoredMotion(): void {
  if (readStored(KEY) === 'off') document.documentElement.dataset['motion'] = 'off'
}

export function setMotionOff(off: boolean): void {
  if (off) document.documentElement.dataset['motion'] = 'off'
  else delete document.documentElement.dataset['motion']
  writeStored(KEY, off ? 'off' : null)
  window.dispatchEvent(new Event(CHANGED))
}

export const isMotionOff = (): boolean => document.documentElement.dataset['motion'] === 'off'

/** Whether to keep still, by the switch or by the system's setting; for event handlers, on the client only. */
export const motionIsReduced = (): boolean =>
  isMotionOff() || window.matchMedia('(prefers-reduced-motion: reduce)').matches

export function onMotionChange(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  return () => window.removeEventListener(CHANGED, listener)
}
