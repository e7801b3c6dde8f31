/**
 * The routes of docs/product.md#screens. Each page is a chunk of its own; its loader is not, so that
 * code and data are fetched side by side.
 */
import type { QueryClient } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { redirect, type RouteObject } from 'react-router'
import { noticesQuery } from '../features/notices/api.ts'
import { inTime } from '../lib/in-time.ts'
import { notFound, type PageLoader } from '../lib/page-loader.ts'
import { categoriesLoader } from '../pages/categories/categories-loader.ts'
import { categoryLoader } from '../pages/category/category-loader.ts'
import { createLoader } from '../pages/create/create-loader.ts'
import { homeLoader } from '../pages/home/home-loader.ts'
import { moderationLogLoader } from '../pages/moderation-log/moderation-log-loader.ts'
import { threadLoader, threadPlaceLoader } from '../pages/thread/thread-loader.ts'
import { ErrorScreen } from './deferred-screens.tsx'
import type * as Entrance from './entrance.ts'
import { patterns, paths } from './paths.ts'
import { RootLayout } from './root-layout.tsx'

/** What a route says about itself beside what the router needs. */
export interface RouteHandle {
  /** Source of the page's chunk, as the build's manifest names it. */
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

/** The screens on the way in. */
const entrance = (load: (screens: typeof Entrance) => ComponentType): Page => ({
  module: 'src/app/entrance.ts',
  load: async () => load(await import('./entrance.ts')),
})

/** The server sends on their way at once who have no session; in the browser <LoginGuard> does. */
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
  // Nothing of ours links there: whoever comes, comes from elsewhere, and the server sends them on.
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
  [paths.about]: {
    module: 'src/pages/about/about-page.tsx',
    load: async () => (await import('../pages/about/about-page.tsx')).AboutPage,
  },
  [paths.terms]: {
    module: 'src/pages/terms/terms-page.tsx',
    load: async () => (await import('../pages/terms/terms-page.tsx')).TermsPage,
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
  // Its screens are routes of their own in there, so that the first page carries nothing of them.
  [patterns.admin]: {
    module: 'src/app/admin-area.tsx',
    load: async () => (await import('./admin-area.tsx')).AdminArea,
    ...(import.meta.env.SSR && { loader: membersLoader }),
  },
}

/** @param session what the server knows of it, see PageLoaderArgs */
export function createRoutes(queryClient: QueryClient, session: boolean | null = null): RouteObject[] {
  const toRoute = ([path, page]: [string, Page]): RouteObject => {
    const { module, load, loader } = page
    return {
      path,
      handle: { module } satisfies RouteHandle,
      lazy: { Component: () => inTime(load) },
      ...(loader && {
        loader: ({ params, request }) => loader({ queryClient, params, url: new URL(request.url), session }),
      }),
    }
  }
  return [
    {
      Component: RootLayout,
      // In the browser the layout asks by itself, without holding anything up.
      ...(import.meta.env.SSR && {
        loader: async () => {
          await queryClient.prefetchQuery(noticesQuery())
          return null
        },
      }),
      children: [
        {
          // Errors of pages appear inside the layout.
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
