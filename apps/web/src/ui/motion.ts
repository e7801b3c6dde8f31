/**
 * The visitor's own switch for decorative motion (footer: 演出を止める), beside the system's setting.
 * It stands as `data-motion` on <html>, where the style sheet obeys it, and in local storage under `motion`.
 */
const KEY = 'motion'
const CHANGED = 'shinobi:motion'

/** Puts the stored choice on <html>. The client entry calls it before hydration, so that nothing moves first. */
export function applyStoredMotion(): void {
  try {
    if (localStorage.getItem(KEY) === 'off') document.documentElement.dataset['motion'] = 'off'
  } catch {
    // Storage may be closed to us (private windows); motion then follows the system alone.
  }
}

export function setMotionOff(off: boolean): void {
  if (off) document.documentElement.dataset['motion'] = 'off'
  else delete document.documentElement.dataset['motion']
  try {
    if (off) localStorage.setItem(KEY, 'off')
    else localStorage.removeItem(KEY)
  } catch {
    // The choice then lasts for this page.
  }
  window.dispatchEvent(new Event(CHANGED))
}

export const isMotionOff = (): boolean => document.documentElement.dataset['motion'] === 'off'

export function onMotionChange(listener: () => void): () => void {
  window.addEventListener(CHANGED, listener)
  return () => window.removeEventListener(CHANGED, listener)
}
