/** A budget for bytes buffered in memory. */
export interface ByteBudget {
  /** @param source the sender. @returns false when there are too many; then none are reserved */
  take(source: string, bytes: number): boolean
  giveBack(source: string, bytes: number): void
}

/** @param total bytes in all. @param ofOne bytes of one source */
export function createByteBudget({ total, ofOne }: { readonly total: number; readonly ofOne: number }): ByteBudget {
  const held = new Map<string, number>()
  let sum = 0
  return {
    take(source, bytes) {
      const of = (held.get(source) ?? 0) + bytes
      if (of > ofOne || sum + bytes > total) return false
      held.set(source, of)
      sum += bytes
      return true
    },
    giveBack(source, bytes) {
      const left = (held.get(source) ?? 0) - bytes
      if (left > 0) held.set(source, left)
      else held.delete(source)
      sum = Math.max(0, sum - bytes)
    },
  }
}
