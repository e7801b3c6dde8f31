/**
 * Counts what is written, and what somebody tries to write, in each category over the last minute, together with the other servers.
 * What is admitted raises the step of raid mode, and a try that is refused hardly; but each keeps a step that stands: a raid that is
 * refused is still there.
 */
import type { Visitor } from '../../http/visitor.ts'
import { createSlidingMinute, type SlidingMinute } from '../../lib/sliding-minute.ts'
import type { Link } from '../../redis/link.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import { createSources } from './sources.ts'

export type WriteKind = 'post' | 'thread'
/** All tries, or those of them that were admitted. */
export type Counting = 'tries' | 'admitted'

export interface WriteCounts {
  /** Counts here, and at the other servers within a second or two, unless the visitor's source has had its share. */
  note(what: Counting, visitor: Visitor, categoryId: string, kind: WriteKind): void
  /** Tries of the last 60 seconds. */
  tries(categoryId: string): Readonly<Record<WriteKind, number>>
  /** The highest step that is kept by all tries. */
  keptStep(categoryId: string): number
  /** The highest step that is raised, by what the tries weigh. */
  raisedStep(categoryId: string): number
  close(): void
}

export interface WriteCountsOptions {
  readonly now: () => number
  readonly settings: Pick<LiveSettings, 'current'>
  readonly link: Pick<Link, 'tell' | 'on'> | null
  /** A category's counts have grown. */
  readonly onCounted: (categoryId: string) => void
}

/** Other servers hear of tries at most this often. */
const TELL_EVERY_MS = 1_000
/** Part of a post that a refused try counts for: it costs its sender nothing, and the readers no more. */
const REFUSED_WEIGHT = 0.1
const COUNTINGS = ['tries', 'admitted'] as const

/** By category, over the last minute. */
function createCounts(now: () => number) {
  const counts = new Map<string, Record<WriteKind, SlidingMinute>>()
  return {
    add(categoryId: string, kind: WriteKind, times: number): void {
      let own = counts.get(categoryId)
      if (own === undefined)
        counts.set(categoryId, (own = { post: createSlidingMinute(), thread: createSlidingMinute() }))
      own[kind].add(now(), times)
    },
    of(categoryId: string): Readonly<Record<WriteKind, number>> {
      const own = counts.get(categoryId)
      return { post: own?.post.count(now()) ?? 0, thread: own?.thread.count(now()) ?? 0 }
    },
  }
}

export function createWriteCounts({ now, settings, link, onCounted }: WriteCountsOptions): WriteCounts {
  const counted = { tries: createCounts(now), admitted: createCounts(now) }
  /** What the other servers have not heard of. */
  const untold: Record<Counting, Record<string, Record<WriteKind, number>>> = { tries: {}, admitted: {} }
  const sources = createSources({
    now,
    // Half of what trips the first step: else a single script, refused as often as it likes, could keep a category closed to all newcomers.
    triesPerMinute: (kind) => {
      const { shieldPostsPerMinute, shieldThreadsPerMinute } = settings.current
      return Math.max(1, Math.floor((kind === 'post' ? shieldPostsPerMinute : shieldThreadsPerMinute)[0] / 2))
    },
  })

  /** The highest step whose threshold is reached, by all tries, or by what they weigh. */
  function reachedStep(categoryId: string, refusedWeight: number): number {
    const weigh = (kind: WriteKind): number => {
      const admitted = counted.admitted.of(categoryId)[kind]
      return admitted + refusedWeight * Math.max(0, counted.tries.of(categoryId)[kind] - admitted)
    }
    const { shieldPostsPerMinute: posts, shieldThreadsPerMinute: threads } = settings.current
    for (let step = posts.length; step > 0; step -= 1) {
      if (weigh('post') >= posts[step - 1]! || weigh('thread') >= threads[step - 1]!) return step
    }
    return 0
  }

  function count(what: Counting, categoryId: string, kind: WriteKind, times: number): void {
    counted[what].add(categoryId, kind, times)
    onCounted(categoryId)
  }

  function tellOthers(): void {
    for (const what of COUNTINGS) {
      if (Object.keys(untold[what]).length === 0) continue
      link?.tell(what, untold[what])
      untold[what] = {}
    }
  }

  for (const what of COUNTINGS)
    link?.on(what, (told) => {
      for (const [categoryId, { post, thread }] of Object.entries(told)) {
        if (post > 0) count(what, categoryId, 'post', post)
        if (thread > 0) count(what, categoryId, 'thread', thread)
      }
    })
  const teller = link === null ? undefined : setInterval(tellOthers, TELL_EVERY_MS).unref()

  return {
    note(what, visitor, categoryId, kind) {
      if (!sources.counts(visitor, what, kind)) return
      if (link !== null) (untold[what][categoryId] ??= { post: 0, thread: 0 })[kind] += 1
      count(what, categoryId, kind, 1)
    },
    tries: (categoryId) => counted.tries.of(categoryId),
    keptStep: (categoryId) => reachedStep(categoryId, 1),
    raisedStep: (categoryId) => reachedStep(categoryId, REFUSED_WEIGHT),
    close: () => clearInterval(teller),
  }
}
