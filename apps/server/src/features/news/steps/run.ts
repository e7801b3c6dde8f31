/** What the steps of a run share. */
import type { Extractor } from '@shinobi/newsroom/articles/extract'
import { NewsRefusal } from '@shinobi/newsroom/news-refusal'
import type { Publishers } from '@shinobi/newsroom/outbound/publishers'
import type { Summariser } from '@shinobi/newsroom/summaries/summariser'
import type { Deps } from '../../../deps.ts'
import { isDatabaseAway } from '../../../lib/api-error.ts'
import { createTurns } from '../../../lib/turns.ts'

export type StepDeps = Pick<
  Deps,
  'db' | 'log' | 'now' | 'settings' | 'cache' | 'search' | 'images' | 'words' | 'flagPost'
> & { readonly live: Pick<Deps['live'], 'queueChanged'> }

/** What a run has done so far. */
export interface Counts {
  feeds: number
  found: number
  read: number
  skipped: number
  stories: number
  published: number
  refused: number
}

/** A run that is under way. */
export interface Run {
  readonly publishers: Publishers
  readonly extractor: Extractor
  readonly summariser: Summariser | null
  readonly counts: Counts
  /** Whether to begin nothing more: the server stops, the news were switched off, or the other steps shall have their turn. */
  isOver(): boolean
  /** Waits for something slow. @throws Stopped as soon as the server stops */
  wait<T>(work: Promise<T>): Promise<T>
}

/** What has been on its way for so long is no news any more, whatever held it up. */
export const TOO_OLD_MS = 48 * 3_600_000

/** The server stops: whatever was under way is done again by the next run. */
export class Stopped extends Error {}

/**
 * What went wrong as a problem with words for administrators. A mistake of ours is logged and counts as the problem given, so that it
 * holds up nothing else. @throws what says nothing about what came from outside: a stop, or a database that is away
 */
export function toRefusal({ log }: Pick<Deps, 'log'>, error: unknown, otherwise: NewsRefusal): NewsRefusal {
  if (error instanceof Stopped || isDatabaseAway(error)) throw error
  if (error instanceof NewsRefusal) return error
  log.error({ err: error }, 'news: something from outside could not be handled')
  return otherwise
}

/** A publisher that answers slowly shall not hold up all others. */
const HOSTS_AT_ONCE = 4
/** After so long nothing more of a host is begun: what is left is due at the next turn. */
const HOST_SHARE_MS = 30_000

/** Does some work for each item: those of one host one after the other as far as its share goes, those of several hosts at the same time. */
export async function byHost<T extends { readonly url: string }>(
  { now }: Pick<StepDeps, 'now'>,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const turns = createTurns({ places: HOSTS_AT_ONCE })
  const hosts = Map.groupBy(items, ({ url }) => URL.parse(url)?.host)
  const done = await Promise.allSettled(
    Array.from(hosts.values(), (group) =>
      turns(async () => {
        const end = now() + HOST_SHARE_MS
        for (const item of group) if (now() <= end) await work(item)
      }),
    ),
  )
  for (const each of done) if (each.status === 'rejected') throw each.reason
}

/** Text as the database can keep it, whatever a publisher sends. */
export const toStorable = (text: string): string => text.toWellFormed().replaceAll('\0', '')
