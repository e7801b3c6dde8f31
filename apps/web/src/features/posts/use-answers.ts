import type { Post } from '@shinobi/contract/posts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { answersQuery } from './answers-query.ts'
import { allAnswers, type Answers } from './back-links.ts'

/** What arrives meanwhile is counted as it arrives; only what was missed is fetched. */
const MISSED_MS = 2_000

/**
 * The answers to the posts of a thread, also those that are not loaded.
 * @param posts the loaded ones, without gaps
 * @param newest number of the last post that is known to exist
 */
export function useAnswers(threadId: string, posts: readonly Post[], newest: number): Answers {
  const { data: known, refetch } = useQuery(answersQuery(threadId))
  const last = posts.at(-1)?.number ?? 0
  // Posts that are loaded are counted in any case.
  const isBehind = known !== undefined && Math.max(known.through, last) < newest
  useEffect(() => {
    if (!isBehind) return undefined
    // Not put off by posts that arrive: in a busy thread they never pause.
    const timer = setInterval(() => void refetch({ cancelRefetch: false }), MISSED_MS)
    return () => clearInterval(timer)
  }, [isBehind, refetch])
  return useMemo(() => allAnswers(known, posts), [known, posts])
}
