import { useCallback, useEffect, useState } from 'react'
import { readStored, writeStored } from '../../lib/storage.ts'

/** The threads in which this browser writes with sage, the latest last. */
const KEY = 'sageThreads'
const MAX = 100

function sageThreads(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(readStored(KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string') : []
  } catch {
    return []
  }
}

/** Whether posts in a thread are sent with sage, which this browser remembers. */
export function useSage(threadId: string): [sage: boolean, setSage: (sage: boolean) => void] {
  // The page that the server renders is the same for all visitors.
  const [sage, show] = useState(false)
  useEffect(() => show(sageThreads().includes(threadId)), [threadId])
  const setSage = useCallback(
    (on: boolean) => {
      const others = sageThreads().filter((id) => id !== threadId)
      const kept = on ? [...others, threadId].slice(-MAX) : others
      writeStored(KEY, kept.length === 0 ? null : JSON.stringify(kept))
      show(on)
    },
    [threadId],
  )
  return [sage, setSage]
}
