import type { SiteInfo } from '@shinobi/contract/site'
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ClockProvider } from '../lib/clock.tsx'
import { SessionHintContext } from '../features/accounts/use-session.ts'
import { SiteProvider } from './site-context.tsx'

interface ProvidersProps {
  queryClient: QueryClient
  site: SiteInfo
  session: boolean | null
  now: Date
  children: ReactNode
}

export function Providers({ queryClient, site, session, now, children }: ProvidersProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <SiteProvider site={site}>
        <SessionHintContext value={session}>
          <ClockProvider now={now}>{children}</ClockProvider>
        </SessionHintContext>
      </SiteProvider>
    </QueryClientProvider>
  )
}
