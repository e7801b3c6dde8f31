import { OFFLINE_POSTS_MAX } from '@shinobi/contract/limits'
import type { Thread } from '@shinobi/contract/threads'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { summaryQuery } from '../news/api.ts'
import { windowOf, type PostPages } from '../posts/api.ts'
import { loadDatabase } from '../reading/store.ts'
import { keepFiles } from './keep-files.ts'

/** After the page has settled: what arrives in a busy thread is kept together. */
const AFTER_MS = 3_000

/** Keeps the thread on screen for reading without a network, with the scripts for it. */
export function KeepPage({ thread, data }: { thread: Thread; data: PostPages }) {
  const client = useQueryClient()
  useEffect(() => {
    const keep = async () => {
      const { start, posts } = windowOf(data)
      const left = Math.max(0, posts.length - OFFLINE_POSTS_MAX)
      const { postCount, revision } = data.known ?? thread
      const database = await loadDatabase()
      await database.keepPage({
        threadId: thread._id,
        keptAt: Date.now(),
        thread,
        summary: client.getQueryData(summaryQuery(thread._id).queryKey) ?? null,
        start: start + left,
        posts: posts.slice(left),
        known: { postCount, revision },
      })
      // What opens the thread again.
      await Promise.all([import('../posts/resume.ts'), import('./restore-page.ts'), import('./old-notice.tsx')])
      await keepFiles()
    }
    // Where nothing can be stored, the thread needs the network.
    const timer = setTimeout(() => void keep().catch(() => {}), AFTER_MS)
    return () => clearTimeout(timer)
  }, [client, thread, data])
  return null
}
