import { LRUCache } from 'lru-cache'

/**
 * A map with a maximum number of entries, from which the least recently used is evicted. With the
 * option `max`, lru-cache allocates memory for all entries at the start; this one grows with its
 * contents.
 */
export const createLru = <K extends {}, V extends {}>(
  max: number,
  options: { readonly ttl?: number } = {},
): LRUCache<K, V> => new LRUCache<K, V>({ ...options, maxSize: max, sizeCalculation: () => 1 })
