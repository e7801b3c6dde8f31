import { PAGE_SIZE_MAX } from '@shinobi/contract/limits'
import type { Post } from '@shinobi/contract/posts'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { postSpanQuery } from './api.ts'
import { useThreadActions } from './thread-context.ts'

export interface ThreadPosts {
  /** The posts known so far, in ascending order. */
  readonly posts: readonly Post[]
  /** The pages known so far, from 0 to 1. */
  readonly share: number
  readonly failed: boolean
  readonly onRetry: () => void
}

/**
 * All posts of the thread above `after` that exist when it is mounted: those of the loaded window,
 * and the others fetched one page at a time, from the nearest.
 */
export function useThreadPosts(after: number): ThreadPosts {
  const { threadId, newest, findPost } = useThreadActions()
  const [last] = useState(newest.get)
  const [pages] = useState(() => pagesBetween(after, last))
  const isMissing = (number: number) => number > after && number <= last && findPost(number) === undefined
  const [missing] = useState(() => pages.filter((page) => numbersIn(page).some(isMissing)))
  const [wanted, setWanted] = useState(1)
  const fetched = useQueries({
    queries: missing.map((page, index) => ({
      ...postSpanQuery(threadId, page.after, page.limit, last),
      enabled: index < wanted,
    })),
  })
  const first = fetched.findIndex(({ data }) => data === undefined)
  const known = first < 0 ? missing.length : first
  useEffect(() => setWanted(known + 1), [known])

  const posts = new Map<number, Post>()
  for (const post of fetched.flatMap(({ data }) => data ?? [])) posts.set(post.number, post)
  // The window is kept up to date.
  for (const number of pages.flatMap(numbersIn)) {
    const post = findPost(number)
    if (post !== undefined) posts.set(number, post)
  }
  return {
    posts: [...posts.values()].filter(({ number }) => number > after).toSorted((a, b) => a.number - b.number),
    share: missing.length === 0 ? 1 : known / missing.length,
    failed: fetched.some(({ isError }) => isError),
    onRetry: () => void fetched.find(({ isError }) => isError)?.refetch(),
  }
}

interface Page {
  readonly after: number
  readonly limit: number
}

/** Aligned, so that the pages of all visitors and all searches share their cached answers. */
export function pagesBetween(after: number, last: number): Page[] {
  const pages: Page[] = []
  for (let start = Math.floor(after / PAGE_SIZE_MAX) * PAGE_SIZE_MAX; start < last; start += PAGE_SIZE_MAX) {
    pages.push({ after: start, limit: PAGE_SIZE_MAX })
  }
  return pages
}

const numbersIn = ({ after, limit }: Page): number[] => Array.from({ length: limit }, (_, index) => after + index + 1)
