/** Decides why no thread was opened, for a source or for all. */
import type { ModelPause, NewsIdle, NewsProblem } from '@shinobi/contract/news'

/** How many articles of late have become the same. */
export interface Fate {
  readonly kind: 'published' | 'waiting' | 'ready' | 'new' | 'unread' | 'refused' | 'rejected' | 'merged'
  /** Why they were refused. */
  readonly problem: NewsProblem | null
  readonly count: number
}

/**
 * The reason that is nearest to a thread: what a person decides, then what comes by itself, then
 * what does not come.
 * @param paused why the language model is not asked now
 * @returns null where a thread was opened
 */
export function explainFates(fates: readonly Fate[], paused: ModelPause | null): NewsIdle | null {
  const unsummarised = paused === null ? 'under_way' : paused === 'budget' ? 'no_budget' : 'model_away'
  const reasons: readonly (readonly [fate: Fate['kind'], kind: NewsIdle['kind'] | null])[] = [
    ['published', null],
    ['waiting', 'waiting'],
    ['ready', 'turn'],
    ['new', unsummarised],
    ['unread', 'under_way'],
    ['refused', 'refused'],
    ['rejected', 'rejected'],
    ['merged', 'merged'],
  ]
  for (const [fate, kind] of reasons) {
    const found = fates.filter((one) => one.kind === fate).toSorted((one, other) => other.count - one.count)
    const [commonest] = found
    if (commonest === undefined) continue
    return kind && { kind, count: found.reduce((sum, { count }) => sum + count, 0), problem: commonest.problem }
  }
  return { kind: 'nothing_new', count: 0, problem: null }
}
