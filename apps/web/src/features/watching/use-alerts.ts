import { useEffect, useMemo } from 'react'
import { useRecords } from '../notebook/use-records.ts'
import { alertsOf, type Alert } from './alerts.ts'
import { look, LOOK_EVERY_MS } from './look.ts'
import { useWatching } from './store.ts'

/** All alerts of this browser; null until its records are read. */
export function useAlerts(): readonly Alert[] | null {
  const watching = useWatching()
  const records = useRecords()
  return useMemo(() => (typeof records === 'string' ? null : alertsOf(watching, records)), [watching, records])
}

/** Looks for news while the page is visible; `isOpen`: the list is on screen, and looks at once. */
export function useLooking(isOpen: boolean): void {
  useEffect(() => {
    const start = (isDue: boolean) => {
      if (document.visibilityState === 'visible') void look(Date.now(), isDue).catch(() => {})
    }
    const refresh = () => start(isOpen)
    refresh()
    const timer = setInterval(() => start(isOpen), LOOK_EVERY_MS / 2)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
  }, [isOpen])
}
