/**
 * A seeded generator of random numbers: the same seed fills the same board, so that results can be
 * compared.
 */
export interface Random {
  /** At least 0, less than 1. */
  next(): number
  /** An integer from 0 to `limit - 1`. */
  below(limit: number): number
  /** True with the given probability. */
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
}

/** sfc32, initialised from a number (Chris Doty-Humphrey's small fast counting generator). */
export function createRandom(seed: number): Random {
  let a = 0x9e3779b9
  let b = 0x243f6a88
  let c = seed | 0
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 2 ** 32
  }
  for (let i = 0; i < 16; i += 1) next()
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (probability) => next() < probability,
    pick: (items) => items[below(items.length)]!,
  }
}
