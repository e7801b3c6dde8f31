/**
 * Counts the tries to write of the last minute in each category, together with the other servers.
 * Admitted tries raise the step of raid mode; refused ones have a small weight. For keeping a step
 * all tries have full weight, because a refused raid is still a raid.
 */
import type { Visitor } from '../../http/visitor.ts'
import { createSlidingMinute, type SlidingMinute } from '../../lib/sliding-minute.ts'
import type { Bus } from '../../redis/bus.ts'
import type { LiveSettings } from '../settings/settings.service.ts'
import { createSources, type Counting, type Sources, type WriteKind } from './sources.ts'

export interface WriteCounts {
  /**
   * Counts at this server, and at the others within a second or two, unless the visitor's source
   * has used up its share.
   */
  note(what: Counting, visitor: Visitor, categoryId: string, kind: WriteKind): void
  /** Those of single sources, at this server. */
  readonly sources: Pick<Sources, 'noteNewcomer' | 'stepOf'>
  /** Tries of the last 60 seconds. */
  tries(categoryId: string): Readonly<Record<WriteKind, number>>
  /** The highest step whose threshold is reached by all tries at full weight. */
  keptStep(categoryId: string): number
  /** The highest step whose threshold is reached with refused tries at their lower weight. */
  raisedStep(categoryId: string): number
  close(): void
}

export interface WriteCountsOptions {
  readonly now: () => number
  readonly settings: Pick<LiveSettings, 'current'>
  readonly bus: Pick<Bus, 'publish' | 'subscribe'> | null
  /** Called when a category's counts have grown. */
  readonly onCounted: (categoryId: string) => void
}

/** Minimum interval between two messages to the other servers. */
const TELL_EVERY_MS = 1_000
/**
 * Weight of a refused try relative to a post: it costs its sender nothing, and readers do not see
 * it.
 */
const REFUSED_WEIGHT = 0.1
const COUNTINGS = ['tries', 'admitted'] as const

/** Counts of the last minute by category. */
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

export function createWriteCounts({ now, settings, bus, onCounted }: WriteCountsOptions): WriteCounts {
  const counted = { tries: createCounts(now), admitted: createCounts(now) }
  /** Counts not yet published to the other servers. */
  const untold: Record<Counting, Record<string, Record<WriteKind, number>>> = { tries: {}, admitted: {} }
  const sources = createSources({
    now,
    // Half of the first threshold: otherwise a single script, although refused, could keep a
    // category closed to all newcomers.
    triesPerMinute: (kind) => {
      const { shieldPostsPerMinute, shieldThreadsPerMinute } = settings.current
      return Math.max(1, Math.floor((kind === 'post' ? shieldPostsPerMinute : shieldThreadsPerMinute)[0] / 2))
    },
  })

  /** The highest step whose threshold is reached, with this weight of refused tries. */
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
      bus?.publish(what, untold[what])
      untold[what] = {}
    }
  }

  for (const what of COUNTINGS)
    bus?.subscribe(what, (told) => {
      for (const [categoryId, { post, thread }] of Object.entries(told)) {
        if (post > 0) count(what, categoryId, 'post', post)
        if (thread > 0) count(what, categoryId, 'thread', thread)
      }
    })
  const teller = bus === null ? undefined : setInterval(tellOthers, TELL_EVERY_MS).unref()

  return {
    note(what, visitor, categoryId, kind) {
      if (!sources.counts(visitor, what, kind)) return
      if (bus !== null) (untold[what][categoryId] ??= { post: 0, thread: 0 })[kind] += 1
      count(what, categoryId, kind, 1)
    },
    sources,
    tries: (categoryId) => counted.tries.of(categoryId),
    keptStep: (categoryId) => reachedStep(categoryId, 1),
    raisedStep: (categoryId) => reachedStep(categoryId, REFUSED_WEIGHT),
    close: () => clearInterval(teller),
  }
}
