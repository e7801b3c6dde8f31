import { createContext, startTransition, use, useEffect, useState, type ReactNode } from 'react'

const NowContext = createContext<Date | null>(null)

/** Precise enough for the day, which ends at midnight in Japan, and for the age of a thread. */
const EVERY_MS = 60_000

/** `now` is the server's clock of the rendered page. */
export function ClockProvider({ now, children }: { now: Date; children: ReactNode }) {
  // A page rendered before midnight may be hydrated after it: the first render uses the server's
  // clock, later ones the browser's, which goes on while the page is open. All dates are rendered
  // again then, in small steps, because they rarely change.
  const [clock, setClock] = useState(now)
  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible') startTransition(() => setClock(new Date()))
    }
    look()
    const timer = setInterval(look, EVERY_MS)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return <NowContext value={clock}>{children}</NowContext>
}

/**
 * The clock for rendering (such as "is this date in this year"): the same on the server and during
 * hydration.
 */
export function useNow(): Date {
  const now = use(NowContext)
  if (now === null) throw new Error('useNow must be used inside ClockProvider')
  return now
}
