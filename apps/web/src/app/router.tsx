/**
 * The routes of docs/product.md#screens. Each page is a separate chunk; its loader is not, so that
 * code and data are fetched in parallel.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { redirect, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { noticesQuery } from '../features/notices/api.ts'
import { inTime } from '../lib/load-chunk.ts'
import { notFound, type PageLoader } from '../lib/page-loader.ts'
import { categoriesLoader } from '../pages/categories/categories-loader.ts'
import { categoryLoader } from '../pages/category/category-loader.ts'
import { createLoader } from '../pages/create/create-loader.ts'
import { homeLoader } from '../pages/home/home-loader.ts'
import { moderationLogLoader } from '../pages/moderation-log/moderation-log-loader.ts'
import { pastLoader } from '../pages/past/past-loader.ts'
import { threadLoader, threadPlaceLoader } from '../pages/thread/thread-loader.ts'
import { ErrorScreen } from './deferred-screens.tsx'
import type * as Entrance from './entrance.ts'
import { patterns, paths } from './paths.ts'
import { RootLayout } from './root-layout.tsx'

/** Handle of a route: what the server needs to know beside the router's fields. */
export interface RouteHandle {
  /** Source of the page's chunk, as named in the build's manifest. */
  module: string
}

interface Page {
  module: string
  load: () => Promise<ComponentType>
  loader?: PageLoader
}

const home: Page = {
  module: 'src/pages/home/home-page.tsx',
  load: async () => (await import('../pages/home/home-page.tsx')).HomePage,
  loader: homeLoader,
}

const past: Page = {
  module: 'src/pages/past/past-page.tsx',
  load: async () => (await import('../pages/past/past-page.tsx')).PastPage,
  ...(import.meta.env.SSR && { loader: pastLoader }),
}

/** A screen of logging in or registering. */
const entrance = (load: (screens: typeof Entrance) => ComponentType): Page => ({
  module: 'src/app/entrance.ts',
  load: async () => load(await import('./entrance.ts')),
})

/** The server redirects visitors without a session; in the browser <LoginGuard> does. */
const membersLoader: PageLoader = async ({ session, url }) => {
  if (session === false) throw redirect(paths.login(url.pathname + url.search))
  return null
}

const pages: Readonly<Record<string, Page>> = {
  [paths.home]: home,
  [paths.ranking]: home,
  [patterns.create]: {
    module: 'src/pages/create/create-page.tsx',
    load: async () => (await import('../pages/create/create-page.tsx')).CreatePage,
    loader: createLoader,
  },
  [patterns.thread]: {
    module: 'src/pages/thread/thread-page.tsx',
    load: async () => (await import('../pages/thread/thread-page.tsx')).ThreadPage,
    loader: threadLoader,
  },
  // No page of the board links to these addresses. Visitors come from elsewhere, and the server
  // redirects them.
  ...(import.meta.env.SSR && {
    [patterns.threadPlace]: {
      module: 'src/pages/thread/thread-page.tsx',
      load: async () => (await import('../pages/thread/thread-page.tsx')).ThreadPage,
      loader: threadPlaceLoader,
    },
  }),
  [paths.categories]: {
    module: 'src/pages/categories/categories-page.tsx',
    load: async () => (await import('../pages/categories/categories-page.tsx')).CategoriesPage,
    loader: categoriesLoader,
  },
  [patterns.category]: {
    module: 'src/pages/category/category-page.tsx',
    load: async () => (await import('../pages/category/category-page.tsx')).CategoryPage,
    loader: categoryLoader,
  },
  [paths.past()]: past,
  [patterns.categoryPast]: past,
  [paths.notebook()]: {
    module: 'src/pages/notebook/notebook-page.tsx',
    load: async () => (await import('../pages/notebook/notebook-page.tsx')).NotebookPage,
  },
  [paths.about]: {
    module: 'src/pages/about/about-page.tsx',
    load: async () => (await import('../pages/about/about-page.tsx')).AboutPage,
  },
  [paths.terms]: {
    module: 'src/pages/terms/terms-page.tsx',
    load: async () => (await import('../pages/terms/terms-page.tsx')).TermsPage,
  },
  [paths.hiding]: {
    module: 'src/pages/hiding/hiding-page.tsx',
    load: async () => (await import('../pages/hiding/hiding-page.tsx')).HidingPage,
  },
  [paths.scroll]: {
    module: 'src/pages/scroll/scroll-page.tsx',
    load: async () => (await import('../pages/scroll/scroll-page.tsx')).ScrollPage,
  },
  [paths.clients]: {
    module: 'src/pages/clients/clients-page.tsx',
    load: async () => (await import('../pages/clients/clients-page.tsx')).ClientsPage,
  },
  [paths.moderationLog]: {
    module: 'src/pages/moderation-log/moderation-log-page.tsx',
    load: async () => (await import('../pages/moderation-log/moderation-log-page.tsx')).ModerationLogPage,
    ...(import.meta.env.SSR && { loader: moderationLogLoader }),
  },
  [paths.login()]: entrance(({ LoginPage }) => LoginPage),
  [paths.register()]: entrance(({ RegisterPage }) => RegisterPage),
  [paths.forgotPassword]: entrance(({ ForgotPasswordPage }) => ForgotPasswordPage),
  [paths.resetPassword]: entrance(({ ResetPasswordPage }) => ResetPasswordPage),
  [paths.verifyEmail]: entrance(({ VerifyEmailPage }) => VerifyEmailPage),
  [paths.profile]: {
    module: 'src/pages/profile/profile-page.tsx',
    load: async () => (await import('../pages/profile/profile-page.tsx')).ProfilePage,
    ...(import.meta.env.SSR && { loader: membersLoader }),
  },
  // The screens are resolved inside, so that the first chunk contains nothing of them.
  [patterns.admin]: {
    module: 'src/app/admin-area.tsx',
    load: async () => (await import('./admin-area.tsx')).AdminArea,
    ...(import.meta.env.SSR && { loader: membersLoader }),
  },
}

/** Patterns of the addresses that have a page. */
export const pagePatterns = Object.keys(pages)

/** What loaders know of a visit beside its address, see PageLoaderArgs. */
export interface Visit {
  readonly queryClient: QueryClient
  readonly session: boolean | null
}

/**
 * @param visitOf the visit that loaders are called for: the server has one set of routes for all
 */
export function createRoutes(visitOf: (context: LoaderFunctionArgs['context']) => Visit): RouteObject[] {
  const toRoute = ([path, page]: [string, Page]): RouteObject => {
    const { module, load, loader } = page
    return {
      path,
      handle: { module } satisfies RouteHandle,
      lazy: { Component: () => inTime(load) },
      ...(loader && {
        loader: ({ params, request, context }) => loader({ ...visitOf(context), params, url: new URL(request.url) }),
      }),
    }
  }
  return [
    {
      Component: RootLayout,
      // Only where the page came without content: its data is in the browser, and soon read.
      HydrateFallback: () => null,
      // In the browser the layout fetches the notices itself, without delaying a navigation.
      ...(import.meta.env.SSR && {
        loader: async ({ context }) => {
          await visitOf(context).queryClient.prefetchQuery(noticesQuery())
          return null
        },
      }),
      children: [
        {
          // Errors of pages are shown inside the layout.
          ErrorBoundary: ErrorScreen,
          children: [
            ...Object.entries(pages).map(toRoute),
            {
              path: '*',
              loader: () => {
                throw notFound()
              },
              element: null,
            },
          ],
        },
      ],
    },
  ]
}
