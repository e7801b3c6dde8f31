import type { SiteInfo } from '@shinobi/contract/site'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ClockProvider } from '../lib/clock.tsx'
import { SiteProvider } from './site-context.tsx'

interface ProvidersProps {
  queryClient: QueryClient
  site: SiteInfo
  now: Date
  children: ReactNode
}

export function Providers({ queryClient, site, now, children }: ProvidersProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <SiteProvider site={site}>
        <ClockProvider now={now}>{children}</ClockProvider>
      </SiteProvider>
    </QueryClientProvider>
  )
}
