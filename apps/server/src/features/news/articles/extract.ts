/**
 * Articles from pages of the web. Pages are hostile until proven otherwise, and slow to parse: it happens in a thread of its own, with
 * a limit to its memory and time, so that whatever a page does to it the board goes on.
 */
import { Worker } from 'node:worker_threads'
import type { NewsProblem } from '@shinobi/contract/news'
import type { ArticleDocument } from '../../../db/tables.ts'
import { NewsRefusal } from '../news.refusal.ts'

export interface PageQuestion {
  readonly html: string
  readonly url: string
}
export type PageAnswer =
  | { readonly document: ArticleDocument }
  | { readonly problem: NewsProblem; readonly message: string }

export interface Extractor {
  /** The article of a page, found at `url`. Refusals: opt_out, no_text, too_large, timeout. */
  extract(html: string, url: string): Promise<ArticleDocument>
  /** Ends the thread. Pages that are being read end in a refusal that passes; the next page makes a new thread. */
  close(): Promise<void>
}

/** Ordinary pages take some 50 ms and 30 MB. */
const LIMITS = { timeoutMs: 10_000, idleMs: 60_000, memoryMb: 256 }

export function createExtractor(limits: Partial<typeof LIMITS> = {}): Extractor {
  const { timeoutMs, idleMs, memoryMb } = { ...LIMITS, ...limits }
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  /** Pages wait for each other: the time of each counts from its turn. */
  let turn: Promise<unknown> = Promise.resolve()

  function forget(ended: Worker): void {
    if (worker === ended) worker = null
  }

  function start(): Worker {
    const started = new Worker(new URL('extract-worker.ts', import.meta.url), {
      // Nothing of the server's secrets is in reach of what reads the pages.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    // One that broke is replaced at the next page; the page that it was reading hears of it in `ask`.
    started.on('error', () => forget(started))
    started.on('exit', () => forget(started))
    return started
  }

  async function end(): Promise<void> {
    const ended = worker
    worker = null
    await ended?.terminate()
  }

  function ask(asked: Worker, question: PageQuestion): Promise<PageAnswer> {
    const { promise, resolve, reject } = Promise.withResolvers<PageAnswer>()
    const timer = setTimeout(() => {
      forget(asked)
      reject(new NewsRefusal('timeout', `reading the page took more than ${timeoutMs} ms`))
      void asked.terminate()
    }, timeoutMs)
    const onError = (error: Error): void => reject(explain(error))
    const onExit = (): void => reject(new NewsRefusal('timeout', 'reading the page was cut short'))
    asked.once('message', resolve)
    asked.once('error', onError)
    asked.once('exit', onExit)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    asked.postMessage(question)
    return promise.finally(() => {
      clearTimeout(timer)
      asked.off('message', resolve)
      asked.off('error', onError)
      asked.off('exit', onExit)
    })
  }

  async function extractNow(html: string, url: string): Promise<ArticleDocument> {
    clearTimeout(idle)
    worker ??= start()
    const asked = worker
    // The process stays for a page that is being read, not for a thread that waits.
    asked.ref()
    try {
      const answer = await ask(asked, { html, url })
      if ('document' in answer) return answer.document
      throw new NewsRefusal(answer.problem, answer.message)
    } finally {
      asked.unref()
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  return {
    extract(html, url) {
      const extracted = turn.then(() => extractNow(html, url))
      turn = extracted.catch(() => {})
      return extracted
    },
    async close() {
      clearTimeout(idle)
      await end()
    },
  }
}

function explain(error: Error & { readonly code?: string }): NewsRefusal {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new NewsRefusal('too_large', 'reading the page took too much memory')
    : new NewsRefusal('no_text', error.message)
}

/** The server's own. */
const extractor = createExtractor()

/** The article of a page, found at `url`. Refusals: opt_out, no_text, too_large, timeout. */
export const extractArticle = (html: string, url: string): Promise<ArticleDocument> => extractor.extract(html, url)

/** For the server's stop. */
export const closeExtraction = (): Promise<void> => extractor.close()
