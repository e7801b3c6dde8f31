/**
 * Reads articles from web pages, and lists of articles from feeds. Both may be hostile and are slow
 * to parse, so a worker thread with a limit of memory and time does it: whatever the input does,
 * the server goes on.
 */
import { createRequire } from 'node:module'
import type { NewsProblem } from '@shinobi/contract/news'
import { createWorkerThread, WorkerThreadError } from '@shinobi/worker-thread/worker-thread'
import type { ArticleDocument } from '../documents.ts'
import { NewsRefusal } from '../news-refusal.ts'
import type { FeedItem } from './feeds.ts'

/** A page as it was fetched. */
export interface PageSource {
  readonly text: string
  /** Address at which the page was found. */
  readonly url: string
  /** False where its headers forbid the use of its pictures; the page may forbid it too. */
  readonly allowsPicture: boolean
}

/** What the worker thread reads. */
interface Readers {
  page(page: PageSource, now: number): ArticleDocument
  feed(text: string, url: string, now: number): readonly FeedItem[]
}
type Kind = keyof Readers
/** A question to the worker thread. */
export type Question = { readonly [K in Kind]: { readonly kind: K; readonly input: Parameters<Readers[K]> } }[Kind]
/** An answer of the worker thread. */
export type Answer =
  | { readonly read: ReturnType<Readers[Kind]> }
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
const LIMITS = { timeoutMs: 10_000, idleMs: 60_000, memoryMb: 256, youngMemoryMb: 32 }

export function createExtractor(limits: Partial<typeof LIMITS> = {}): Extractor {
  const thread = createWorkerThread<Question, Answer>({
    // Resolved by package name, because a bundle that includes this module lies elsewhere.
    script: () => createRequire(import.meta.url).resolve('@shinobi/newsroom/articles/extract-worker'),
    ...LIMITS,
    ...limits,
  })

  async function read<K extends Kind>(kind: K, ...input: Parameters<Readers[K]>): Promise<ReturnType<Readers[K]>> {
    const answer = await thread.ask({ kind, input } as Question).catch((error: unknown) => {
      throw error instanceof WorkerThreadError ? refusalOf(error, kind) : error
    })
    // The thread answers with the kind that was asked for.
    if ('read' in answer) return answer.read as ReturnType<Readers[K]>
    throw new NewsRefusal(answer.problem ?? PROBLEMS[kind].broken, answer.message)
  }

  return {
    readPage: (page, now) => read('page', page, now),
    readFeed: (text, url, now) => read('feed', text, url, now),
    close: () => thread.close(),
  }
}

function refusalOf({ reason, message }: WorkerThreadError, kind: Kind): NewsRefusal {
  const { broken, late } = PROBLEMS[kind]
  const problem = { late, memory: 'too_large', ended: 'timeout', broken } as const
  return new NewsRefusal(problem[reason], reason === 'broken' ? message : `reading the ${kind} ${message}`)
}
