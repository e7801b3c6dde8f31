/**
 * The number of a thread's newest post. Subscribable, so that a new post re-renders only what
 * depends on the number.
 */
export interface NewestNumber {
  readonly get: () => number
  readonly set: (number: number) => void
  readonly subscribe: (listener: () => void) => () => void
}

export function createNewestNumber(first: number): NewestNumber {
  let newest = first
  const listeners = new Set<() => void>()
  return {
    get: () => newest,
    set(number) {
      if (number === newest) return
      newest = number
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
