import type { SiteInfo } from '@shinobi/contract/site'
import { createContext, use, useEffect, useState, type ReactNode } from 'react'

const SiteContext = createContext<SiteInfo | null>(null)
const NowContext = createContext<Date | null>(null)

export function SiteProvider({ site, now, children }: { site: SiteInfo; now: Date; children: ReactNode }) {
  // A page rendered before midnight may be hydrated after it: the first render repeats the server's clock, then the real one takes over.
  const [clock, setClock] = useState(now)
  useEffect(() => setClock(new Date()), [])
  return (
    <SiteContext value={site}>
      <NowContext value={clock}>{children}</NowContext>
    </SiteContext>
  )
}

/** What the operator configured. */
export function useSite(): SiteInfo {
  const site = use(SiteContext)
  if (site === null) throw new Error('useSite must be used inside SiteProvider')
  return site
}

/** The clock for what is rendered (such as "is this date of this year"): the same on the server and while hydrating. */
export function useNow(): Date {
  const now = use(NowContext)
  if (now === null) throw new Error('useNow must be used inside SiteProvider')
  return now
}
