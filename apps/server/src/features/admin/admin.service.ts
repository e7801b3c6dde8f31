import type { AdminUser, PostState, RoleInput, ThreadState, UserState } from '@shinobi/contract/admin'
import { ADMIN_CATEGORIES_PAGE } from '@shinobi/contract/limits'
import type { Core } from '../../core.ts'
import type { Db } from '../../db/client.ts'
import { inTransaction } from '../../db/transaction.ts'
import { selectPage, type NumberedPage } from '../../db/tallies.ts'
import { may } from '@shinobi/contract/permissions'
import type { Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { changeRole, refreshModerators } from '../accounts/roles.service.ts'
import { selectCategories, selectCategory, type CategoryRow } from '../categories/categories.queries.ts'
import { readSearch } from '../search/search.terms.ts'
import { selectAdminUsers, selectPostsPage, selectThreadsPage, type WantedPage } from './admin-lists.queries.ts'
import type { AdminDeps } from './admin.deps.ts'
import { toAdminUser } from './admin.view.ts'
import { findPostsBy, findThreadsBy, findUsersBy, type Found, type Period, type TextFilter } from './found.queries.ts'

type ListDeps = Pick<AdminDeps, 'db' | 'searches' | 'searchDbFor' | 'now'>
type ListRequest = Parameters<Core['searchDbFor']>[0]

interface PeriodQuery {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

interface TextQuery<State> extends WantedPage, PeriodQuery {
  readonly q?: string | undefined
  readonly writer?: string | undefined
  readonly category?: string | undefined
  readonly state?: State | undefined
}

const DAY_MS = 86_400_000
/** The latest time that an id can encode. */
const END_OF_TIME = 2 ** 48 - 1
const startOf = (day: string): number => Math.max(0, Date.parse(`${day}T00:00:00+09:00`))

const toPeriod = ({ from, to }: PeriodQuery): Period => ({
  since: from === undefined ? 0 : startOf(from),
  until: to === undefined ? END_OF_TIME : startOf(to) + DAY_MS,
})

/** Whether any filter is set; blank ones are ignored. */
const isFiltered = ({ page: _page, limit: _limit, ...filters }: WantedPage): boolean =>
  Object.values<unknown>(filters).some((value) => typeof value === 'string' && value.trim() !== '')

/** A text that cannot be stored matches no row. */
const isStorable = (text: string): boolean => text.isWellFormed() && !text.includes('\0')

/** Members of a page, by id. */
export function findUsersPage(
  { db, searches, searchDbFor, now }: ListDeps,
  request: ListRequest,
  actor: { readonly id: string },
  query: WantedPage & PeriodQuery & { readonly q?: string | undefined; readonly state?: UserState | undefined },
): Promise<NumberedPage> {
  if (!isFiltered(query)) return selectPage(db, 'users', query)
  const { q = '', state } = query
  if (!isStorable(q)) return Promise.resolve(NOTHING)
  const filter = { ...toPeriod(query), beginning: q.trim() === '' ? null : q, state }
  return searches.run(
    actor.id,
    async () => cut(await findUsersBy(searchDbFor(request), filter, new Date(now())), query),
    'list_too_broad',
  )
}

/**
 * Threads of a page, by id; within a moderator's part of the board. @throws ApiError bad_search
 * when too many rows match
 */
export const findThreadsPage = (
  deps: ListDeps,
  request: ListRequest,
  moderator: Moderator,
  query: TextQuery<ThreadState>,
): Promise<NumberedPage> =>
  isFiltered(query)
    ? findTextsPage(deps, request, moderator, query, findThreadsBy)
    : selectThreadsPage(deps.db, moderator.scope, query)

/** The same for posts. */
export const findPostsPage = (
  deps: ListDeps,
  request: ListRequest,
  moderator: Moderator,
  query: TextQuery<PostState>,
): Promise<NumberedPage> =>
  isFiltered(query)
    ? findTextsPage(deps, request, moderator, query, findPostsBy)
    : selectPostsPage(deps.db, moderator.scope, query)

async function findTextsPage<State>(
  { db, searches, searchDbFor }: ListDeps,
  request: ListRequest,
  moderator: Moderator,
  query: TextQuery<State>,
  find: (db: Db, filter: TextFilter<State>) => Promise<Found>,
): Promise<NumberedPage> {
  const { q = '', writer = '', category = '', state } = query
  if (!isStorable(q) || !isStorable(writer)) return NOTHING
  const place = category === '' ? moderator.scope : await narrow(db, moderator, category)
  if (place !== 'all' && place.length === 0) return NOTHING
  const terms = readSearch(q)
  const filter = {
    ...toPeriod(query),
    scope: place,
    terms: terms.all.length === 0 ? null : terms,
    writer: writer.trim() === '' ? null : foldName(writer),
    state,
  }
  return searches.run(moderator.id, async () => cut(await find(searchDbFor(request), filter), query), 'list_too_broad')
}

/** A category within a moderator's part of the board; an empty list for another one. */
async function narrow(db: Db, moderator: Moderator, ref: string): Promise<readonly string[]> {
  const category = await selectCategory(db, ref)
  if (category === undefined) return []
  return may(moderator, 'browse', category.id) ? [category.id] : []
}

const NOTHING: NumberedPage = { ids: [], total: 0 }

const cut = ({ ids, partial }: Found, { page, limit }: WantedPage): NumberedPage => ({
  ids: ids.slice((page - 1) * limit, page * limit),
  total: ids.length,
  partial,
})

/**
 * A page of the categories of a moderator's part of the board; all of them without a page in the
 * request.
 */
export async function findCategoriesPage(
  db: Db,
  moderator: Moderator,
  { page, limit }: { readonly page?: number | undefined; readonly limit?: number | undefined },
): Promise<{ readonly categories: readonly CategoryRow[]; readonly wanted: WantedPage; readonly total: number }> {
  const rows = (await selectCategories(db)).filter(({ id }) => may(moderator, 'browse', id))
  const isWhole = page === undefined && limit === undefined
  const wanted = { page: page ?? 1, limit: limit ?? (isWhole ? Math.max(1, rows.length) : ADMIN_CATEGORIES_PAGE) }
  const first = (wanted.page - 1) * wanted.limit
  return { categories: rows.slice(first, first + wanted.limit), wanted, total: rows.length }
}

/**
 * Changes a member's role, effective with the member's next request. @throws ApiError see
 * changeRole()
 */
export async function assignRole(
  { db, now, live, settings }: AdminDeps,
  actor: { readonly id: string; readonly name: string },
  userId: string,
  input: RoleInput,
): Promise<AdminUser> {
  const at = new Date(now())
  await inTransaction(db, async (tx) => {
    await changeRole(tx, { ...input, userId, actor, at })
    await refreshModerators(tx, live, [userId], at)
  })
  const [row] = await selectAdminUsers(db, [userId], at)
  if (row === undefined) throw refuse('not_found', 'user_not_found')
  return toAdminUser(row, settings.current)
}
