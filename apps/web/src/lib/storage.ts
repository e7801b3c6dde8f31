/**
 * Local and session storage, which may be full, or closed to us (private windows): then nothing is kept, and nothing fails.
 * Whoever keeps something here must do without it.
 */
type Area = 'localStorage' | 'sessionStorage'

export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** Keeps a value under a key; null removes what is there. */
export function writeStored(key: string, value: string | null, area: Area = 'localStorage'): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // As if nothing had been kept.
  }
}
