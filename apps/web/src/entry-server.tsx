/**
 * Renders one page to a string; the server (apps/server) inserts the parts into the built
 * index.html.
 */
import './ui/styles.css'
import type { RenderInput, RenderOutput } from '@shinobi/contract/render'
import type { QueryClient } from '@tanstack/react-query'
import { renderToString } from 'react-dom/server'
import {
  createContext,
  createStaticHandler,
  createStaticRouter,
  RouterContextProvider,
  StaticRouterProvider,
  type StaticHandlerContext,
} from 'react-router'
import { HeadCollector, renderHead, type PageMeta } from './app/page-head.tsx'
import { portableErrors, readQueries, serializeState } from './app/page-state.ts'
import { Providers } from './app/providers.tsx'
import { createQueryClient } from './app/query-client.ts'
import { createRoutes, type RouteHandle, type Visit } from './app/router.tsx'
import { provideTransport } from './lib/api-client.ts'
import { noteDrawn, preloadDeferred } from './lib/deferred.tsx'

export { addressOf } from './app/page-address.ts'

/**
 * Only the path and the query of a page's address are used, but the router needs a complete URL.
 */
const ORIGIN = 'http://board.invalid'

/** Runs before the first paint of a thread: public/thread.js. */
const EARLY = '<script src="/thread.js"></script>'
const isThread = (pathname: string): boolean => /^\/thread\/[^/]+$/.test(pathname)

const visitContext = createContext<Visit>()
/** One for all visits: sorting the routes and loading their components is done once. */
const { query, dataRoutes } = createStaticHandler(createRoutes((context) => context.get(visitContext)))

export async function render({ url, site, session, api, inTurn, now }: RenderInput): Promise<RenderOutput> {
  const queryClient = createQueryClient()
  provideTransport(queryClient, api)
  const requestContext = new RouterContextProvider(new Map([[visitContext, { queryClient, session }]]))
  const context = await query(new Request(ORIGIN + url), { requestContext })
  if (context instanceof Response) {
    const redirect = context.headers.get('location') ?? '/'
    return { status: context.status, head: '', app: '', state: 'null', redirect, preload: [] }
  }
  for (const error of Object.values(context.errors ?? {})) if (error instanceof Error) console.error(error)

  await preloadDeferred()
  return inTurn(() => renderGathered(context, queryClient, { site, session, now }))
}

/** Renders a page whose queries have their answers. */
function renderGathered(
  context: StaticHandlerContext,
  queryClient: QueryClient,
  { site, session, now }: Pick<RenderInput, 'site' | 'session' | 'now'>,
): RenderOutput {
  // Rounded down to the minute: precise enough for "is it this year", and the rendered bytes stay
  // the same for a while.
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000)
  let meta: PageMeta | null = null
  const collect = (collected: PageMeta) => {
    meta = collected
  }
  const { page: app, modules: deferred } = noteDrawn(() =>
    renderToString(
      <HeadCollector value={collect}>
        <Providers queryClient={queryClient} site={site} session={session} now={minute}>
          <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />
        </Providers>
      </HeadCollector>,
    ),
  )
  const state = serializeState({
    site,
    session,
    now: minute.toISOString(),
    queries: readQueries(queryClient),
    deferred,
    router: { loaderData: context.loaderData, errors: portableErrors(context.errors) },
  })
  const routed = context.matches.flatMap(({ route }) => (route.handle as RouteHandle | undefined)?.module ?? [])
  queryClient.clear()
  return {
    status: context.statusCode,
    head: meta === null ? '' : renderHead(meta, site) + (isThread(context.location.pathname) ? EARLY : ''),
    app,
    state,
    preload: [...routed, ...deferred],
  }
}
