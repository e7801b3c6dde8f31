import {
  adminCategories,
  adminChangeRole,
  adminCreateCategory,
  adminDeleteCategory,
  adminPosts,
  adminThreads,
  adminUsers,
  getDashboard,
} from '@shinobi/contract/admin'
import type { App, Deps } from '../../deps.ts'
import { memberOf, moderatorOf } from '../../http/session.ts'
import { selectCategories } from '../categories/categories.queries.ts'
import { toCategory } from '../categories/categories.view.ts'
import {
  selectAdminPosts,
  selectAdminThreads,
  selectAdminUsers,
  selectPostsPage,
  selectThreadsPage,
} from './admin-lists.queries.ts'
import { assignRole, findUsersPage } from './admin.service.ts'
import { toAdminPost, toAdminThread, toAdminUser, toPagination } from './admin.view.ts'
import { createCategory, removeCategory } from './category-admin.service.ts'
import { readDashboard } from './dashboard.service.ts'

export function registerAdmin(app: App, deps: Deps): void {
  const { db, now, settings } = deps

  app.route({ ...getDashboard, handler: async () => ({ stats: await readDashboard(deps) }) })

  app.route({
    ...adminUsers,
    handler: async ({ query }) => {
      const { ids, total } = await findUsersPage(deps, query)
      const rows = await selectAdminUsers(db, ids, new Date(now()))
      return { users: rows.map((row) => toAdminUser(row, settings.current)), pagination: toPagination(query, total) }
    },
  })

  app.route({
    ...adminChangeRole,
    handler: (request) => assignRole(deps, memberOf(request), request.params.id, request.body),
  })

  app.route({
    ...adminThreads,
    handler: async (request) => {
      const { ids, total } = await selectThreadsPage(db, moderatorOf(request).scope, request.query)
      const rows = await selectAdminThreads(db, ids)
      return { threads: rows.map(toAdminThread), pagination: toPagination(request.query, total) }
    },
  })

  app.route({
    ...adminPosts,
    handler: async (request) => {
      const { ids, total } = await selectPostsPage(db, moderatorOf(request).scope, request.query)
      const rows = await selectAdminPosts(db, ids)
      return { posts: rows.map(toAdminPost), pagination: toPagination(request.query, total) }
    },
  })

  app.route({
    ...adminCategories,
    handler: async (request) => {
      const { scope } = moderatorOf(request)
      const rows = await selectCategories(db)
      return { categories: rows.filter(({ id }) => scope === 'all' || scope.includes(id)).map(toCategory) }
    },
  })

  app.route({
    ...adminCreateCategory,
    handler: async (request, reply) => {
      const category = await createCategory(deps, memberOf(request), request.body)
      reply.code(201)
      return toCategory(category)
    },
  })

  app.route({
    ...adminDeleteCategory,
    handler: async (request) => {
      await removeCategory(deps, memberOf(request), request.params.id, request.query.moveTo)
      return {}
    },
  })
}
