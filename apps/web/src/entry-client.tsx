import './ui/styles.css'
import { onlineManager } from '@tanstack/react-query'
import { startTransition, StrictMode } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import { createBrowserRouter, matchRoutes, RouterProvider, type RouteObject } from 'react-router'
import { paths } from './app/paths.ts'
import { fillQueries, parseState } from './app/page-state.ts'
import { Providers } from './app/providers.tsx'
import { createQueryClient } from './app/query-client.ts'
import { repeatWithNetwork } from './app/repeat-with-network.ts'
import { rereadOnReturn } from './app/reread-on-return.ts'
import { createRoutes } from './app/router.tsx'
import { onSessionLost } from './lib/api-client.ts'
import { preloadDeferred } from './lib/deferred.tsx'
import { forgetLanding } from './lib/forget-landing.ts'
import { answerNotices } from './lib/pressed-notices.ts'
import { startSession } from './features/accounts/session.ts'
import { followMember } from './features/notebook/follow-member.ts'

declare global {
  interface Window {
    /** The buttons pressed before hydration: boot.js adds to it until this script deletes it. */
    earlyPresses?: Set<HTMLElement>
    /** Shows a message that the script could not be loaded (boot.js). */
    loseScript?: () => void
  }
}

/**
 * Loads the components of the current page before hydration: otherwise the router would show
 * nothing while it waits for a chunk.
 */
async function loadComponents(routes: RouteObject[], deferred: readonly string[]): Promise<void> {
  const matches = matchRoutes(routes, location) ?? []
  await Promise.all(
    matches.map(async ({ route }) => {
      if (typeof route.lazy !== 'object' || route.lazy.Component === undefined) return
      const Component = await route.lazy.Component()
      delete route.lazy
      Object.assign(route, { Component })
    }),
  )
  await preloadDeferred(deferred)
}

async function start(): Promise<void> {
  const root = document.getElementById('root')
  if (root === null) throw new Error('#root is missing')
  const block = document.getElementById('state')
  const state = parseState(block?.textContent)
  // Content removed from the board later must not stay in the page.
  block?.remove()
  // TanStack Query takes the network for up until an event: the first one would change nothing for
  // queries that failed on a page that was opened without it.
  onlineManager.setOnline(navigator.onLine)
  const queryClient = createQueryClient()
  repeatWithNetwork(queryClient)
  const routes = createRoutes(() => ({ queryClient, session: null }))
  forgetLanding()
  startSession()
  followMember()
  answerNotices()
  if (state !== null) {
    fillQueries(queryClient, state.queries)
    rereadOnReturn(queryClient)
    await loadComponents(routes, state.deferred)
  }
  const router = createBrowserRouter(routes, state === null ? {} : { hydrationData: state.router })
  onSessionLost((acted) => {
    const { pathname, search, hash } = location
    // Pages behind the login guard redirect by themselves.
    if (acted && pathname !== paths.profile && !pathname.startsWith(paths.admin()))
      void router.navigate(paths.login(pathname + search + hash))
  })
  const now = state === null ? new Date() : new Date(state.now)
  const site = state?.site ?? {
    publicUrl: location.origin,
    contactEmail: null,
    version: null,
    sourceUrl: null,
    hostingBadge: null,
    googleClientId: null,
    sendsMail: false,
  }
  const app = (
    <StrictMode>
      <Providers queryClient={queryClient} site={site} session={state?.session ?? null} now={now}>
        <RouterProvider router={router} />
      </Providers>
    </StrictMode>
  )
  if (state === null) createRoot(root).render(app)
  // Hydrates in small steps, so that a slow phone can scroll and type meanwhile: the page is
  // visible already.
  else startTransition(() => void hydrateRoot(root, app))
  const presses = window.earlyPresses ?? []
  delete window.earlyPresses
  // React hydrates the target of a click synchronously.
  for (const pressed of presses) pressed.click()
}

start().catch((error: unknown) => {
  window.loseScript?.()
  throw error
})
