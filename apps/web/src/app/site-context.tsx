import type { SiteInfo } from '@shinobi/contract/site'
import { createContext, use, type ReactNode } from 'react'

const SiteContext = createContext<SiteInfo | null>(null)

export function SiteProvider({ site, children }: { site: SiteInfo; children: ReactNode }) {
  return <SiteContext value={site}>{children}</SiteContext>
}

/** The operator's configuration of the site. */
export function useSite(): SiteInfo {
  const site = use(SiteContext)
  if (site === null) throw new Error('useSite must be used inside SiteProvider')
  return site
}
