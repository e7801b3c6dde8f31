/**
 * Local and session storage. Either may be full or forbidden (private windows): writes are then
 * ignored without an error, and callers must work without the stored values.
 */
type Area = 'localStorage' | 'sessionStorage'

export function readStored(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** Stores a value under a key; null removes it. */
export function writeStored(key: string, value: string | null, area: Area = 'localStorage'): void {
  try {
    if (value === null) globalThis[area].removeItem(key)
    else globalThis[area].setItem(key, value)
  } catch {
    // The value is not stored.
  }
}

/** The keys that begin so. */
export function storedKeys(prefix: string): readonly string[] {
  try {
    return Object.keys(globalThis.localStorage).filter((key) => key.startsWith(prefix))
  } catch {
    return []
  }
}
