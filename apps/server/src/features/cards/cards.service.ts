/**
 * Pictures of threads for previews of shared links. Each is drawn once for what it shows, and kept
 * in memory: a reload, a new post or another address of the thread draws nothing.
 */
import { LRUCache } from 'lru-cache'
import type { Card } from '@shinobi/cards/card'
import { createCardPainter } from '@shinobi/cards/draw'
import type { Core } from '../../core.ts'
import { ApiError } from '../../lib/api-error.ts'
import { createFairSemaphore } from '../../lib/fair-semaphore.ts'
import { tooMany } from '../../lib/key-limit.ts'

export interface Cards {
  /**
   * A PNG; null if there is none, or none in time. One that comes too late is kept for the next
   * request.
   * @param asker the client, as `askerOf` names it
   */
  pictureOf(card: Card, asker: string): Promise<Buffer | null>
  close(): Promise<void>
}

export interface CardsOptions {
  readonly budgetMs?: number | undefined
  readonly perMinute?: number
}

/** Services that make previews wait for some seconds, but not for all of their pictures. */
const BUDGET_MS = 1_000
/** At 50 ms each, the last one in the queue is drawn just within the budget. */
const WAITING = 12
const WAITING_OF_ONE = 4
/** Pictures of one client that are drawn anew: 6 seconds of work, for somebody who shares none. */
const PER_MINUTE = 120
/** Some two hundred pictures. */
const KEPT_BYTES = 16e6
/** A title that breaks the drawing does so again; an operator may mend it meanwhile. */
const FAILED_FOR_MS = 600_000

export function createCards(
  { log, keyLimit }: Pick<Core, 'log' | 'keyLimit'>,
  { budgetMs = BUDGET_MS, perMinute = PER_MINUTE }: CardsOptions,
): Cards {
  const painter = createCardPainter()
  const semaphore = createFairSemaphore({ places: 1, waitingMax: WAITING, waitingMaxOfOne: WAITING_OF_ONE })
  const drawn = keyLimit({ name: 'cards', points: perMinute, seconds: 60, refusal: tooMany('too_many_requests') })
  const kept = new LRUCache<string, { readonly png: Buffer | null }>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ png }, key) => (png?.length ?? 0) + key.length * 2 + 200,
  })
  const underWay = new Map<string, Promise<Buffer | null>>()

  async function draw(key: string, card: Card, asker: string): Promise<Buffer | null> {
    try {
      await drawn.take(asker)
      const png = await semaphore(() => painter.paint(card), asker)
      kept.set(key, { png })
      return png
    } catch (error) {
      // The queue is full, or the client has had its share.
      if (error instanceof ApiError) return null
      log.warn({ err: error }, 'cards: a picture could not be drawn')
      kept.set(key, { png: null }, { ttl: FAILED_FOR_MS })
      return null
    }
  }

  return {
    async pictureOf(card, asker) {
      const key = JSON.stringify(card)
      const found = kept.get(key)
      if (found !== undefined) return found.png
      let drawing = underWay.get(key)
      if (drawing === undefined) {
        drawing = draw(key, card, asker).finally(() => underWay.delete(key))
        underWay.set(key, drawing)
      }
      return withinBudget(drawing, budgetMs)
    },
    close: () => painter.close(),
  }
}

async function withinBudget(drawing: Promise<Buffer | null>, budgetMs: number): Promise<Buffer | null> {
  const { promise: late, resolve } = Promise.withResolvers<null>()
  const timer = setTimeout(() => resolve(null), budgetMs)
  try {
    return await Promise.race([drawing, late])
  } finally {
    clearTimeout(timer)
  }
}
