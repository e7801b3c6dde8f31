import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useNow } from '../../lib/clock.tsx'
import { loadChunk } from '../../lib/load-chunk.ts'
import type { findHidden, Hidden, Match, Numbered } from './matcher.ts'
import { subscribeRules } from './rules-changed.ts'
import { hidingRules, noHidingRules, rulesFor } from './rules.ts'

const NOTHING: ReadonlyMap<number, Hidden> = new Map()

interface Ready {
  readonly match: Match
  readonly find: typeof findHidden
  /** Hashes of pictures by address; empty while no rule is about pictures. */
  readonly pictures: ReadonlyMap<string, string | null>
}

/** A post for the rules, without the hash of its picture, which is read where a rule needs it. */
export interface HideablePost extends Omit<Numbered, 'subject'> {
  readonly subject: Omit<Numbered['subject'], 'picture'>
  /** Address of its small picture. */
  readonly pictureUrl: string | null
}

/** A found post, of which only an excerpt is known, for the rules. */
export const toHideableExcerpt = ({ number, parts }: { number: number; parts: readonly string[] }): HideablePost => ({
  number,
  answered: [],
  subject: { name: null, id: null, content: parts.join(''), hosts: [] },
  pictureUrl: null,
})

/** The same array as long as it has the same items. */
function useSame<Item>(items: readonly Item[]): readonly Item[] {
  const [kept, setKept] = useState(items)
  if (kept.length === items.length && kept.every((item, index) => item === items[index])) return kept
  setKept(items)
  return items
}

/**
 * The hidden ones of some posts of a thread. Nothing is loaded while the visitor has no rule for
 * this thread.
 * @param describe pure; a stable function
 */
export function useHiddenPosts<Post>(
  threadId: string,
  given: readonly Post[],
  describe: (post: Post) => HideablePost,
): ReadonlyMap<number, Hidden> {
  const posts = useSame(given)
  const rules = useSyncExternalStore(subscribeRules, hidingRules, noHidingRules)
  const [ready, setReady] = useState<Ready | null>(null)
  const now = useNow().getTime()
  const applicable = useSame(rulesFor(rules, threadId, now).filter(({ kind }) => kind !== 'title'))
  const readsPictures = applicable.some(({ kind }) => kind === 'image')

  useEffect(() => {
    if (applicable.length === 0) return setReady(null)
    let isStale = false
    const load = async () => {
      const { createMatch, findHidden: find } = await loadChunk(() => import('./matcher.ts'))
      const match = await createMatch(applicable)
      if (!isStale) setReady((before) => ({ match, find, pictures: before?.pictures ?? new Map() }))
    }
    load().catch(() => {})
    return () => {
      isStale = true
    }
  }, [applicable])

  const urls = useMemo(
    () => (readsPictures ? posts.flatMap((post) => describe(post).pictureUrl ?? []) : []),
    [posts, readsPictures, describe],
  )
  const isReady = ready !== null
  useEffect(() => {
    if (!isReady || urls.length === 0) return undefined
    let isStale = false
    const load = async () => {
      const { hashPicture } = await loadChunk(() => import('./pictures.ts'))
      const pictures = new Map(await Promise.all(urls.map(async (url) => [url, await hashPicture(url)] as const)))
      if (!isStale) setReady((before) => before && { ...before, pictures })
    }
    load().catch(() => {})
    return () => {
      isStale = true
    }
  }, [isReady, urls])

  return useMemo(() => {
    if (ready === null) return NOTHING
    const numbered = posts.map((post): Numbered => {
      const { number, answered, subject, pictureUrl } = describe(post)
      const picture = pictureUrl === null ? null : (ready.pictures.get(pictureUrl) ?? null)
      return { number, answered, subject: { ...subject, picture } }
    })
    return ready.find(numbered, ready.match)
  }, [ready, posts, describe])
}
