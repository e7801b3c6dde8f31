import { LRUCache } from 'lru-cache'

/**
 * A map of what was used last, of so many entries at most. Given as its own `max`, lru-cache would take the memory of all of them at the
 * start; here it grows with what is kept.
 */
export const createLru = <K extends {}, V extends {}>(
  max: number,
  options: { readonly ttl?: number } = {},
): LRUCache<K, V> => new LRUCache<K, V>({ ...options, maxSize: max, sizeCalculation: () => 1 })
