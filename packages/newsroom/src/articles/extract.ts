/**
 * Reads articles from web pages, and lists of articles from feeds. Both may be hostile and are slow
 * to parse, so a worker thread with a limit of memory and time does it: whatever the input does,
 * the server goes on.
 */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { NewsProblem } from '@shinobi/contract/news'
import type { ArticleDocument } from '../documents.ts'
import { NewsRefusal } from '../news-refusal.ts'
import type { FeedItem } from './feeds.ts'

/** Input and output of each kind of reading. */
interface Readings {
  readonly page: ArticleDocument
  readonly feed: readonly FeedItem[]
}
type Kind = keyof Readings

/** A page as it was fetched. */
export interface PageSource {
  readonly text: string
  /** Address at which the page was found. */
  readonly url: string
  /** False where its headers forbid the use of its pictures; the page may forbid it too. */
  readonly allowsPicture: boolean
}

/** A question to the worker thread. */
export type Question =
  | ({ readonly kind: 'page'; readonly now: number } & PageSource)
  | { readonly kind: 'feed'; readonly text: string; readonly url: string; readonly now: number }
/** An answer of the worker thread. */
export type Answer =
  | { readonly read: Readings[Kind] }
  | { readonly problem: NewsProblem | null; readonly message: string }

/**
 * Problems to report when the input breaks the thread or takes too long. The pipeline retries pages
 * itself; feeds are read again at their next interval anyway.
 */
const PROBLEMS: Readonly<Record<Kind, { readonly broken: NewsProblem; readonly late: NewsProblem }>> = {
  page: { broken: 'no_text', late: 'timeout' },
  feed: { broken: 'not_a_feed', late: 'too_large' },
}

/** Reads in a worker thread that starts on demand. The creator must close it. */
export interface Extractor {
  /**
   * The article of a page; a date after `now` is dropped. Refusals: opt_out, no_text, too_large,
   * timeout.
   */
  readPage(page: PageSource, now: number): Promise<ArticleDocument>
  /**
   * The articles of a feed, found at `url`; dates after `now` are dropped. Refusals: not_a_feed,
   * too_large.
   */
  readFeed(text: string, url: string, now: number): Promise<readonly FeedItem[]>
  /**
   * Ends the thread. A reading under way ends in a refusal that can be retried; the next page or
   * feed starts a new thread.
   */
  close(): Promise<void>
}

/** Ordinary pages take about 50 ms and 30 MB, the largest feeds a second. */
const LIMITS = { timeoutMs: 10_000, idleMs: 60_000, memoryMb: 256 }

export function createExtractor(limits: Partial<typeof LIMITS> = {}): Extractor {
  const { timeoutMs, idleMs, memoryMb } = { ...LIMITS, ...limits }
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  /** Readings run one at a time; the time limit of each starts with its turn. */
  let turn: Promise<unknown> = Promise.resolve()

  function forget(ended: Worker): void {
    if (worker === ended) worker = null
  }

  function start(): Worker {
    // Resolved by package name, because a bundle that includes this module lies elsewhere.
    const script = createRequire(import.meta.url).resolve('@shinobi/newsroom/articles/extract-worker')
    const started = new Worker(script, {
      // The code that parses pages must not reach the server's secrets.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    // A broken thread is replaced at the next page or feed; `ask` reports the error to the caller
    // of the reading under way.
    started.on('error', () => forget(started))
    started.on('exit', () => forget(started))
    return started
  }

  async function end(): Promise<void> {
    const ended = worker
    worker = null
    await ended?.terminate()
  }

  function ask(asked: Worker, question: Question): Promise<Answer> {
    const { kind } = question
    const { promise, resolve, reject } = Promise.withResolvers<Answer>()
    const timer = setTimeout(() => {
      forget(asked)
      reject(new NewsRefusal(PROBLEMS[kind].late, `reading the ${kind} took more than ${timeoutMs} ms`))
      void asked.terminate()
    }, timeoutMs)
    const onError = (error: Error): void => reject(explain(error, kind))
    const onExit = (): void => reject(new NewsRefusal('timeout', `reading the ${kind} was cut short`))
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

  async function readNow(question: Question): Promise<Readings[Kind]> {
    clearTimeout(idle)
    worker ??= start()
    const asked = worker
    // Keeps the process alive while a reading is under way, but not for an idle thread.
    asked.ref()
    try {
      const answer = await ask(asked, question)
      if ('read' in answer) return answer.read
      throw new NewsRefusal(answer.problem ?? PROBLEMS[question.kind].broken, answer.message)
    } finally {
      asked.unref()
      idle = setTimeout(() => void end(), idleMs).unref()
    }
  }

  function read<K extends Kind>(question: Extract<Question, { kind: K }>): Promise<Readings[K]> {
    // The thread answers with the kind that was asked for.
    const reading = turn.then(() => readNow(question)) as Promise<Readings[K]>
    turn = reading.catch(() => {})
    return reading
  }

  return {
    readPage: ({ text, url, allowsPicture }, now) => read({ kind: 'page', text, url, allowsPicture, now }),
    readFeed: (text, url, now) => read({ kind: 'feed', text, url, now }),
    async close() {
      clearTimeout(idle)
      await end()
    },
  }
}

function explain(error: Error & { readonly code?: string }, kind: Kind): NewsRefusal {
  return error.code === 'ERR_WORKER_OUT_OF_MEMORY'
    ? new NewsRefusal('too_large', `reading the ${kind} took too much memory`)
    : new NewsRefusal(PROBLEMS[kind].broken, error.message)
}
