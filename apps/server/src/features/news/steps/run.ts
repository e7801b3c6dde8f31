/** Shared by the steps of a run. */
import type { Extractor } from '@shinobi/newsroom/articles/extract'
import type { Judge } from '@shinobi/newsroom/claims/judge-thread'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { Publishers } from '@shinobi/newsroom/outbound/publishers'
import type { Embedder } from '@shinobi/newsroom/summaries/embedder'
import type { Summariser } from '@shinobi/newsroom/summaries/summariser'
import type { Core } from '../../../core.ts'
import type { ImageStore } from '../../images/image-store.ts'
import { isDatabaseAway } from '../../../lib/api-error.ts'
import { createFairSemaphore } from '../../../lib/fair-semaphore.ts'
import type { SearchIndexer } from '../../search/search.indexer.ts'
import type { LiveSettings } from '../../settings/settings.service.ts'
import type { ThreadEvents } from '../../threads/thread-events.ts'
import type { BannedWords } from '../../words/word-verdicts.service.ts'

export interface StepDeps extends Pick<Core, 'db' | 'log' | 'now' | 'cache'> {
  readonly images: ImageStore
  readonly live: Pick<Core['live'], 'queueChanged'>
  readonly settings: LiveSettings
  readonly words: BannedWords
  readonly search: SearchIndexer
  readonly threadEvents: Pick<ThreadEvents, 'opened'>
}

/** Counts of a run so far. */
export interface Counts {
  /** Feeds that were read. */
  feeds: number
  /** New articles in them. */
  found: number
  read: number
  skipped: number
  /** New stories. */
  stories: number
  published: number
  refused: number
}

/** An active run. */
export interface Run {
  readonly publishers: Publishers
  readonly extractor: Extractor
  readonly judge: Judge
  /** Null where reports of one event are found by the rules alone. */
  readonly embedder: Embedder | null
  readonly summariser: Summariser | null
  readonly counts: Counts
  /**
   * Whether to begin nothing more: the server stops, the news were switched off, or the time slice
   * of the step is used up.
   */
  isOver(): boolean
  /** Waits for slow work. @throws Stopped as soon as the server stops */
  wait<T>(work: Promise<T>): Promise<T>
}

/** Age from which a story is too old to be published. */
export const TOO_OLD_MS = 48 * 3_600_000

/** The server stops; the next run repeats the interrupted work. */
export class Stopped extends Error {}

/**
 * Converts an error into a problem that administrators can read. An unexpected error is logged and
 * becomes the given problem, so that it does not block other items.
 * @throws the error itself when its cause is not the input: a stop, or an unavailable database
 */
export function toRefusal({ log }: Pick<Core, 'log'>, error: unknown, otherwise: NewsRefusal): NewsRefusal {
  if (error instanceof Stopped || isDatabaseAway(error)) throw error
  if (error instanceof NewsRefusal) return error
  log.error({ err: error }, 'news: data from outside could not be processed')
  return otherwise
}

/** Hosts read in parallel, so that a slow publisher does not block the others. */
const HOSTS_AT_ONCE = 4
/** Time slice of a host; the rest of its items is due at the next turn. */
const HOST_SHARE_MS = 30_000

/**
 * Does some work for all due items, until the time slice of the step is used up: items of one host
 * one after the other within its own time slice, several hosts in parallel.
 */
export async function byHost<T extends { readonly url: string }>(
  { now }: Pick<StepDeps, 'now'>,
  run: Run,
  selectDue: (at: Date) => Promise<readonly T[]>,
  work: (item: T) => Promise<void>,
): Promise<void> {
  while (!run.isOver()) {
    const items = await selectDue(new Date(now()))
    if (items.length === 0) return
    const semaphore = createFairSemaphore({ places: HOSTS_AT_ONCE })
    const hosts = Map.groupBy(items, ({ url }) => URL.parse(url)?.host)
    const done = await Promise.allSettled(
      Array.from(hosts.values(), (group) =>
        semaphore(async () => {
          const end = now() + HOST_SHARE_MS
          for (const item of group) if (now() <= end && !run.isOver()) await work(item)
        }),
      ),
    )
    for (const each of done) if (each.status === 'rejected') throw each.reason
  }
}

/** Removes what PostgreSQL cannot store from a publisher's text. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '')
