/** Why sources open no threads, as administrators read it. */
import type { ModelPause, NewsIdle } from '@shinobi/contract/news'
import type { Db } from '../../db/client.ts'
import { explainFates } from './idle.rules.ts'
import { isRead, selectSources, type SourceRow } from './sources.queries.ts'
import { selectFates } from './status.queries.ts'
import { TOO_OLD_MS } from './steps/run.ts'

/** A source with the reason; null where it opened a thread, or is not read. */
export interface IdleSource {
  readonly source: SourceRow
  readonly idle: NewsIdle | null
}

/**
 * All sources, each with the reason why it opened no thread within the time for which news are
 * waited for, and the reason why none of them did.
 */
export async function readIdleSources(
  db: Db,
  { now, paused }: { readonly now: number; readonly paused: ModelPause | null },
): Promise<{ readonly sources: readonly IdleSource[]; readonly all: NewsIdle | null }> {
  const [rows, fates] = await Promise.all([selectSources(db), selectFates(db, new Date(now - TOO_OLD_MS))])
  const fatesOf = Map.groupBy(fates, ({ sourceId }) => sourceId)
  const isIdle = (source: SourceRow): boolean => isRead(source) && source.problem === null && source.fetchedAt !== null
  return {
    sources: rows.map((source) => ({
      source,
      idle: isIdle(source) ? explainFates(fatesOf.get(source.id) ?? [], paused) : null,
    })),
    all: rows.some(isRead) ? explainFates(fates, paused) : { kind: 'no_sources', count: 0, problem: null },
  }
}
