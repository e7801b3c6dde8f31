import { OFFLINE_POSTS_MAX } from '@shinobi/contract/limits'
import type { Thread } from '@shinobi/contract/threads'
import { useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { summaryQuery } from '../news/api.ts'
import { windowOf, type PostPages } from '../posts/api.ts'
import { loadDatabase } from '../reading/store.ts'
import { keepFiles } from './keep-files.ts'

/** After the page has settled; who leaves sooner has not read it. */
const AFTER_MS = 3_000
/** A busy thread changes all the time, and each writing of it costs its posts. */
const EVERY_MS = 30_000
/** What fails for longer than a moment does so until something is new. */
const TRIES = 3

interface KeepPageProps {
  thread: Thread
  data: PostPages
}

/** Keeps the thread on screen for reading without a network, with the scripts for it. */
export function KeepPage(props: KeepPageProps) {
  const client = useQueryClient()
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  const { _id } = props.thread
  useEffect(() => {
    let isDue = false
    let failures = 0
    let kept: PostPages | null = null
    const keep = () => {
      const { thread, data } = latest.current
      if (data === kept) return
      kept = data
      // Where nothing can be stored, the thread needs the network.
      store(client, thread, data).catch(() => {
        failures += 1
        if (kept === data && failures < TRIES) kept = null
      })
    }
    const first = setTimeout(() => {
      isDue = true
      keep()
    }, AFTER_MS)
    const timer = setInterval(keep, EVERY_MS)
    const onVisibility = () => {
      if (isDue && document.visibilityState === 'hidden') keep()
    }
    document.addEventListener('visibilitychange', onVisibility)
    return () => {
      clearTimeout(first)
      clearInterval(timer)
      document.removeEventListener('visibilitychange', onVisibility)
      if (isDue) keep()
    }
  }, [client, _id])
  return null
}

async function store(client: QueryClient, thread: Thread, data: PostPages): Promise<void> {
  const { start, posts } = windowOf(data)
  const left = Math.max(0, posts.length - OFFLINE_POSTS_MAX)
  const { postCount, revision } = data.known ?? thread
  const database = await loadDatabase()
  const isKept = await database.keepPage({
    threadId: thread._id,
    keptAt: Date.now(),
    thread,
    summary: client.getQueryData(summaryQuery(thread._id).queryKey) ?? null,
    start: start + left,
    posts: posts.slice(left),
    known: { postCount, revision },
  })
  if (!isKept) throw new Error('the thread has no record')
  // What opens the thread again.
  await Promise.all([
    import('../posts/resume.ts'),
    import('./restore-page.ts'),
    import('./old-notice.tsx'),
    // What becomes of a post that is written there.
    import('../posts/unsent/unsent-notices.tsx'),
  ])
  await keepFiles()
}
