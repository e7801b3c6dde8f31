import { useEffect } from 'react'
import { subscribeRecords } from '../reading/store.ts'
import { readWatching, subscribeWatching } from './store.ts'

/** A burst of changes registers once. Short, as a visitor may leave right after writing. */
const AFTER_MS = 1_000

/** Keeps the registration for notices like what this browser watches and has written. */
export function usePushInStep(): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const register = () => {
      clearTimeout(timer)
      timer = undefined
      // What fails is left to the next change, or to the next page.
      if (readWatching().push !== null) void import('./push.ts').then(({ keepInStep }) => keepInStep()).catch(() => {})
    }
    const note = () => {
      timer ??= setTimeout(register, AFTER_MS)
    }
    const leave = () => {
      if (timer !== undefined && document.visibilityState === 'hidden') register()
    }
    note()
    const unsubscribe = [subscribeWatching(note), subscribeRecords(note)]
    document.addEventListener('visibilitychange', leave)
    return () => {
      clearTimeout(timer)
      for (const end of unsubscribe) end()
      document.removeEventListener('visibilitychange', leave)
    }
  }, [])
}
