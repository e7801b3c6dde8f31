/**
 * Turns for argon2, which passwords and strong tripcodes share: a hash takes some 50 milliseconds
 * of a core, and any stranger can cause one.
 */
import { setTimeout } from 'node:timers/promises'
import { askerOf } from '../../http/visitor.ts'
import { createFairSemaphore } from '../../lib/fair-semaphore.ts'
import { createLru } from '../../lib/lru.ts'

/**
 * Concurrent hashes: many log-ins at once must use up neither the memory nor all threads, which
 * images and the disk need too.
 */
const AT_ONCE = 2
/**
 * Sources of which a hash runs, or waits for one of the two turns or for its share; and hashes that
 * wait besides. A hundred are about three seconds' worth on a small machine. Further ones are
 * answered "busy" at once.
 */
const SOURCES = 100
const WAITING_MAX = 100
/**
 * Waiting hashes of one source. They run one at a time, and others take turns with it, so its queue
 * does not delay them.
 */
const WAITING_MAX_OF_ONE = 20
/**
 * Part of a core that the hashes of one source take in the long run. All hashes that the limits of
 * a quarter of an hour allow a /48 would keep everybody else waiting for seconds, done at once.
 */
const SHARE = 1 / 4
/**
 * Milliseconds by which a source may be ahead of its share: forty hashes of 50 milliseconds follow
 * each other without a pause, as when a class logs in.
 */
const AHEAD_MS = 6_000
/**
 * A hash counts as so many milliseconds at most. On a busy machine it takes longer, and other
 * people behind the address must not wait four times as long again.
 */
const COUNTED_MS = 100
const REMEMBERED_SOURCES = 20_000

/**
 * @param now milliseconds of a monotonic clock
 * @param sleep waits for milliseconds
 */
export function createHashing(
  now: () => number = () => performance.now(),
  sleep: (milliseconds: number) => Promise<unknown> = setTimeout,
) {
  const ofSources = createFairSemaphore({
    places: SOURCES,
    placesOfOne: 1,
    waitingMax: WAITING_MAX,
    waitingMaxOfOne: WAITING_MAX_OF_ONE,
  })
  const turns = createFairSemaphore({ places: AT_ONCE })
  /** The time at which the hashes of a source so far are within its share. */
  const evenAt = createLru<string, number>(REMEMBERED_SOURCES)

  async function inTurn<T>(source: string, hash: () => Promise<T>): Promise<T> {
    const early = (evenAt.get(source) ?? 0) - AHEAD_MS - now()
    if (early > 0) await sleep(early)
    return turns(async () => {
      const start = now()
      try {
        return await hash()
      } finally {
        const taken = Math.min(COUNTED_MS, now() - start)
        evenAt.set(source, Math.max(evenAt.get(source) ?? 0, start) + taken / SHARE)
      }
    }, source)
  }

  return <T>(address: string, work: (hashInTurn: InTurn) => Promise<T>): Promise<T> => {
    const source = askerOf(address)
    return ofSources(() => work((hash) => inTurn(source, hash)), source)
  }
}

type InTurn = <T>(hash: () => Promise<T>) => Promise<T>

/**
 * Does work that ends in a hash, or refuses it before it costs anything.
 * @param address of the client who asks for it, or its prefix (`addressPrefix`)
 * @param work looks up what the hash needs, then hashes with the function that it is given
 * @throws ApiError unavailable or too_many_requests when too many wait already
 */
export const hashing = createHashing()
