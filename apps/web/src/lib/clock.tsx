import { createContext, use, useEffect, useState, type ReactNode } from 'react'

const NowContext = createContext<Date | null>(null)

/** `now` is the server's clock of the rendered page. */
export function ClockProvider({ now, children }: { now: Date; children: ReactNode }) {
  // A page rendered before midnight may be hydrated after it: the first render repeats the server's clock, then the real one takes over.
  const [clock, setClock] = useState(now)
  useEffect(() => setClock(new Date()), [])
  return <NowContext value={clock}>{children}</NowContext>
}

/** The clock for what is rendered (such as "is this date of this year"): the same on the server and while hydrating. */
export function useNow(): Date {
  const now = use(NowContext)
  if (now === null) throw new Error('useNow must be used inside ClockProvider')
  return now
}
