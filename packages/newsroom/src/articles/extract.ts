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
const LIMITS = { timeoutMs: 10_000, idleMs: 60_000, memoryMb: 256, youngMemoryMb: 32 }

export function createExtractor(limits: Partial<typeof LIMITS> = {}): Extractor {
  const thread = createWorkerThread<Question, Answer>({
    // Resolved by package name, because a bundle that includes this module lies elsewhere.
    script: () => createRequire(import.meta.url).resolve('@shinobi/newsroom/articles/extract-worker'),
    ...LIMITS,
    ...limits,
  })

  async function read<K extends Kind>(question: Extract<Question, { kind: K }>): Promise<Readings[K]> {
    const answer = await thread.ask(question).catch((error: unknown) => {
      throw error instanceof WorkerThreadError ? refusalOf(error, question.kind) : error
    })
    // The thread answers with the kind that was asked for.
    if ('read' in answer) return answer.read as Readings[K]
    throw new NewsRefusal(answer.problem ?? PROBLEMS[question.kind].broken, answer.message)
  }

  return {
    readPage: ({ text, url, allowsPicture }, now) => read({ kind: 'page', text, url, allowsPicture, now }),
    readFeed: (text, url, now) => read({ kind: 'feed', text, url, now }),
    close: () => thread.close(),
  }
}

function refusalOf({ reason, message }: WorkerThreadError, kind: Kind): NewsRefusal {
  const { broken, late } = PROBLEMS[kind]
  const problem = { late, memory: 'too_large', ended: 'timeout', broken } as const
  return new NewsRefusal(problem[reason], reason === 'broken' ? message : `reading the ${kind} ${message}`)
}
