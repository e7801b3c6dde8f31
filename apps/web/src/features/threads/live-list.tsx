import type { ThreadItem } from '@shinobi/contract/threads'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ApiPage } from '../../lib/api-client.ts'
import { apiPageSince } from '../../lib/page-since.ts'
import { startStopwatch } from '../../lib/stopwatch.ts'
import { Button } from '../../ui/button.tsx'
import { motionIsReduced } from '../../ui/motion.ts'
import { listPath, threadListQuery } from './api.ts'
import { isAiHidden } from './hidden-ai.ts'
import type { ListView } from './list-address.ts'
import styles from './live-list.module.css'
import { newerThreads, withCounts, withNewer } from './live-rows.ts'

/** An unchanged list costs the server a 304, which its cache answers. */
const ASK_EVERY_MS = 20_000

export interface LiveListProps {
  readonly category: string | null
  readonly view: ListView
  /** Whether the visitor does not hide a thread by its title (NG). */
  readonly isShown: (thread: ThreadItem) => boolean
  /** Called with the ids of threads that the visitor has just brought into the list. */
  readonly onShow: (ids: ReadonlySet<string>) => void
}

/**
 * Follows the first page of the list while somebody looks at it: counts change in their rows, and
 * new threads wait behind a button, so that nothing moves under a finger.
 */
export function LiveList({ category, view, isShown, onShow }: LiveListProps) {
  const client = useQueryClient()
  const [fresh, setFresh] = useState<ApiPage<ThreadItem> | null>(null)
  const { queryKey } = threadListQuery(category, view)
  const key = JSON.stringify(queryKey)

  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    let etag: string | null = null
    let sinceAsked = (): number => Infinity
    const ask = async () => {
      const isWatched = document.visibilityState === 'visible' && navigator.onLine
      if (!isWatched || sinceAsked() < ASK_EVERY_MS - 1_000) return
      sinceAsked = startStopwatch()
      const answer = await apiPageSince<ThreadItem>(listPath(category, view), etag, signal).catch(() => null)
      if (answer === null || signal.aborted) return
      etag = answer.etag
      if (answer.page === null) return
      const { page } = answer
      const updatedAt = client.getQueryState(queryKey)?.dataUpdatedAt
      client.setQueryData(queryKey, (data) => data && withCounts(data, page), updatedAt ? { updatedAt } : {})
      setFresh(page)
    }
    void ask()
    const timer = setInterval(() => void ask(), ASK_EVERY_MS)
    const askNow = () => void ask()
    document.addEventListener('visibilitychange', askNow, { signal })
    addEventListener('online', askNow, { signal })
    return () => {
      controller.abort()
      clearInterval(timer)
      setFresh(null)
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key names the category and the view
  }, [key, client])

  const data = client.getQueryData(queryKey)
  const newer = fresh === null || data === undefined ? [] : newerThreads(data, fresh)
  const seen = newer.filter((thread) => isShown(thread) && !(thread.aiGenerated && isAiHidden()))

  const show = () => {
    if (fresh === null) return
    client.setQueryData(queryKey, (shown) => shown && withNewer(shown, fresh, category))
    onShow(new Set(newer.map(({ _id }) => _id)))
    setFresh(null)
    scrollTo({ top: 0, behavior: motionIsReduced() ? 'instant' : 'smooth' })
    // The button disappears: the focus goes on to the first new thread.
    requestAnimationFrame(() => {
      const row = document.getElementById(seen[0]!._id)
      row?.querySelector('a')?.focus({ preventScroll: true })
    })
  }

  return (
    <div className={styles['place']} aria-live="polite">
      {seen.length > 0 && (
        <Button size="sm" className={styles['pill']} onClick={show}>
          新着スレッド {seen.length}件
        </Button>
      )}
    </div>
  )
}
