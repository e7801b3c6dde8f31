import {
  adminCategories,
  adminChangeCategory,
  adminChangeRole,
  adminCreateCategory,
  adminDeleteCategory,
  adminPosts,
  adminThreads,
  adminUsers,
  getDashboard,
  getUserHistory,
  getWriterHistory,
} from '@shinobi/contract/admin'
import type { App } from '../../http/fastify.ts'
import { memberOf, moderatorOf } from '../../http/access-guard.ts'
import { toAdminCategory } from '../categories/categories.view.ts'
import { selectAdminPosts, selectAdminThreads, selectAdminUsers } from './admin-lists.queries.ts'
import type { AdminDeps } from './admin.deps.ts'
import { assignRole, findCategoriesPage, findPostsPage, findThreadsPage, findUsersPage } from './admin.service.ts'
import { toAdminPost, toAdminThread, toAdminUser, toPagination } from './admin.view.ts'
import { changeCategory, createCategory, removeCategory } from './category-admin.service.ts'
import { readDashboard } from './dashboard.service.ts'
import { readWriterHistory } from './writer.service.ts'

export function registerAdmin(app: App, deps: AdminDeps): void {
  const { db, now, settings } = deps

  app.route({ ...getDashboard, handler: async () => ({ stats: await readDashboard(deps) }) })

  app.route({
    ...adminUsers,
    handler: async (request) => {
      const found = await findUsersPage(deps, request, memberOf(request), request.query)
      const rows = await selectAdminUsers(db, found.ids, new Date(now()))
      const users = rows.map((row) => toAdminUser(row, settings.current))
      return { users, pagination: toPagination(request.query, found) }
    },
  })

  app.route({
    ...adminChangeRole,
    handler: (request) => assignRole(deps, memberOf(request), request.params.id, request.body),
  })

  app.route({
    ...adminThreads,
    handler: async (request) => {
      const found = await findThreadsPage(deps, request, moderatorOf(request), request.query)
      const rows = await selectAdminThreads(db, found.ids)
      return {
        threads: rows.map((row) => toAdminThread(row, settings.current.postLimit)),
        pagination: toPagination(request.query, found),
      }
    },
  })

  app.route({
    ...adminPosts,
    handler: async (request) => {
      const found = await findPostsPage(deps, request, moderatorOf(request), request.query)
      const rows = await selectAdminPosts(db, found.ids)
      return { posts: rows.map(toAdminPost), pagination: toPagination(request.query, found) }
    },
  })

  app.route({
    ...getWriterHistory,
    handler: (request) => readWriterHistory(deps, request, moderatorOf(request), request.params),
  })

  app.route({
    ...getUserHistory,
    handler: (request) => readWriterHistory(deps, request, moderatorOf(request), { userId: request.params.id }),
  })

  app.route({
    ...adminCategories,
    handler: async (request) => {
      const { categories, wanted, total } = await findCategoriesPage(db, moderatorOf(request), request.query)
      return { categories: categories.map(toAdminCategory), pagination: toPagination(wanted, { total }) }
    },
  })

  app.route({
    ...adminCreateCategory,
    handler: async (request, reply) => {
      const category = await createCategory(deps, memberOf(request), request.body)
      reply.code(201)
      return toAdminCategory(category)
    },
  })

  app.route({
    ...adminChangeCategory,
    handler: async (request) =>
      toAdminCategory(await changeCategory(deps, memberOf(request), request.params.id, request.body)),
  })

  app.route({
    ...adminDeleteCategory,
    handler: async (request) => {
      await removeCategory(deps, memberOf(request), request.params.id, request.query.moveTo)
      return {}
    },
  })
}
