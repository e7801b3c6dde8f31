/**
 * Draws the pictures of shared links in a worker thread: setting and painting one takes some ten
 * milliseconds of pure work, and whatever the title does, the server goes on.
 */
import { createRequire } from 'node:module'
import { createWorkerThread } from '@shinobi/worker-thread/worker-thread'
import type { Card, Drawn } from './card.ts'

/** Draws one picture at a time. The creator must close it. */
export interface CardPainter {
  /**
   * A PNG; null where the fonts have too little of the title.
   * @throws {WorkerThreadError} when the thread breaks, or takes too long
   */
  paint(card: Card): Promise<Buffer | null>
  /** Ends the thread. A picture being drawn fails; the next one starts a new thread. */
  close(): Promise<void>
}

/** A picture takes about 50 ms, the first one of a thread 400. */
const LIMITS = { timeoutMs: 10_000, idleMs: 60_000, memoryMb: 96, youngMemoryMb: 8 }

export function createCardPainter(): CardPainter {
  const thread = createWorkerThread<Card, Drawn>({
    // Resolved by package name, because a bundle that includes this module lies elsewhere.
    script: () => createRequire(import.meta.url).resolve('@shinobi/cards/draw-worker'),
    ...LIMITS,
  })
  return {
    async paint(card) {
      const { png } = await thread.ask(card)
      return png === null ? null : Buffer.from(png)
    },
    close: () => thread.close(),
  }
}
