/**
 * Articles from pages of the web, and lists of articles from feeds. Both are hostile until proven otherwise, and slow to parse: it happens
 * in a thread of its own, with a limit to its memory and time, so that whatever one does to it the board goes on.
 */
import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import type { NewsProblem } from '@shinobi/contract/news'
import type { ArticleDocument } from '../documents.ts'
import { NewsRefusal } from '../news-refusal.ts'
import type { FeedItem } from './feeds.ts'

/** What is read, and what comes of it. */
interface Readings {
  readonly page: ArticleDocument
  readonly feed: readonly FeedItem[]
}
type Kind = keyof Readings

/** A page as it was fetched. */
export interface PageSource {
  readonly text: string
  /** Where it was found. */
  readonly url: string
  /** False where its headers keep its pictures from us; it may say so itself as well. */
  readonly allowsPicture: boolean
}

/** What the thread is asked to read. */
export type Question =
  | ({ readonly kind: 'page'; readonly now: number } & PageSource)
  | { readonly kind: 'feed'; readonly text: string; readonly url: string; readonly now: number }
/** What the thread answers. */
export type Answer =
  | { readonly read: Readings[Kind] }
  | { readonly problem: NewsProblem | null; readonly message: string }

/** What is refused without a word on what it is, and what takes too long: pages are tried again, feeds come again by themselves. */
const PROBLEMS: Readonly<Record<Kind, { readonly broken: NewsProblem; readonly late: NewsProblem }>> = {
  page: { broken: 'no_text', late: 'timeout' },
  feed: { broken: 'not_a_feed', late: 'too_large' },
}

/** Reads in a thread that is started when it is needed. Whoever makes one closes it. */
export interface Extractor {
  /** The article of a page; one that is dated after `now` has no date. Refusals: opt_out, no_text, too_large, timeout. */
  readPage(page: PageSource, now: number): Promise<ArticleDocument>
  /** The articles of a feed, found at `url`; what is dated after `now` has no date. Refusals: not_a_feed, too_large. */
  readFeed(text: string, url: string, now: number): Promise<readonly FeedItem[]>
  /** Ends the thread. What is being read ends in a refusal that passes; the next page or feed makes a new thread. */
  close(): Promise<void>
}

/** Ordinary pages take some 50 ms and 30 MB, the largest feeds a second. */
const LIMITS = { timeoutMs: 10_000, idleMs: 60_000, memoryMb: 256 }

export function createExtractor(limits: Partial<typeof LIMITS> = {}): Extractor {
  const { timeoutMs, idleMs, memoryMb } = { ...LIMITS, ...limits }
  let worker: Worker | null = null
  let idle: NodeJS.Timeout | undefined
  /** One waits for the other: the time of each counts from its turn. */
  let turn: Promise<unknown> = Promise.resolve()

  function forget(ended: Worker): void {
    if (worker === ended) worker = null
  }

  function start(): Worker {
    // By the name of the package: a bundle that has this module in it lies elsewhere.
    const script = createRequire(import.meta.url).resolve('@shinobi/newsroom/articles/extract-worker')
    const started = new Worker(script, {
      // Nothing of the server's secrets is in reach of what reads the pages.
      env: {},
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: memoryMb, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 },
    })
    // One that broke is replaced at the next page or feed; who asked for what it was reading hears of it in `ask`.
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
    // The process stays for what is being read, not for a thread that waits.
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
    // The thread answers what it was asked for.
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
