/** Creating and deleting categories. No thread is ever lost with its category. */
import type { Transaction } from 'kysely'
import { CATEGORY_MOVE_STEP } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import { ApiError, isForeignKeyViolation, isUniqueViolation, refuse } from '../../lib/api-error.ts'
import { UUID, uuidv7 } from '../../lib/uuid.ts'
import { takeFromModerators } from '../accounts/moderators.queries.ts'
import { refreshModerators } from '../accounts/roles.service.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { endBansOfCategory } from '../bans/bans.queries.ts'
import {
  deleteCategory,
  insertCategory,
  lockCategories,
  selectCategory,
  type CategoryRow,
} from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import { awaitDecisions, countHeldOfCategory, moveHeldOfCategory } from '../held/held.queries.ts'
import { countCategoryThreads, moveThreads } from '../threads/threads-state.queries.ts'
import { threadTags } from '../threads/threads.tags.ts'

interface Actor {
  readonly id: string
  readonly name: string
}

/** Threads may be opened, or let through, while others move away; after so many rounds that happens faster than they move. */
const ROUNDS_MAX = 20

/** @throws ApiError taken; bad_category for a name that could not be told from an id */
export async function createCategory(
  { db, now, cache }: Deps,
  actor: Actor,
  { name, description }: { readonly name: string; readonly description: string },
): Promise<CategoryRow> {
  if (UUID.test(name)) throw refuse('bad_category', 'bad_request')
  const at = new Date(now())
  const category = { id: uuidv7(now()), name, description }
  try {
    await inTransaction(db, async (tx) => {
      await insertCategory(tx, { ...category, at })
      const after = { name, description }
      await insertAudit(tx, {
        ...{ actor, at, action: 'category_create', categoryId: category.id, subject: name },
        details: { after },
      })
      // Lists of all categories are the same as before; pages that name the categories are not.
      afterCommit(tx, () => cache.drop([CATEGORIES_TAG], 'at once'))
    })
  } catch (error) {
    throw isUniqueViolation(error) ? refuse('taken', 'category_name_taken') : error
  }
  return category
}

/**
 * Deletes a category. Its threads move to another one in small steps, each a transaction of its own, so that nobody who writes into
 * one of them waits for all; what was opened meanwhile moves in the next round. Stopped half way it has moved some threads, and can be
 * done again.
 * @throws ApiError not_found; has_threads without a place to move them to; bad_category for the last category, or a bad place
 */
export async function removeCategory(deps: Deps, actor: Actor, id: string, moveTo: string | undefined): Promise<void> {
  const { db } = deps
  const category = UUID.test(id) ? await selectCategory(db, id) : undefined
  if (category === undefined) throw refuse('not_found', 'category_not_found')
  if (moveTo === undefined) {
    // Counted before anything is locked: it may be many.
    const standing = await countStanding(deps, id)
    if (standing === 0 && (await deleteIfEmpty(deps, actor, category, null, 0)) === null) return
    // Nothing stood in it, and then something did.
    const count = standing === 0 ? await countStanding(deps, id) : standing
    throw new ApiError('has_threads', messages.category_has_threads(count))
  }
  if (moveTo === id) throw refuse('bad_category', 'category_move_self')
  const target = await selectCategory(db, moveTo)
  if (target === undefined) throw refuse('bad_category', 'category_not_found')
  let moved = 0
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    moved += await moveAll(deps, id, moveTo)
    const late = await deleteIfEmpty(deps, actor, category, target, moved)
    if (late === null) return
    moved += late
    await awaitDecisions(db, id)
  }
  throw new ApiError('has_threads', messages.category_busy)
}

/** @returns how many threads moved */
async function moveAll(deps: Deps, from: string, to: string): Promise<number> {
  let moved = 0
  for (;;) {
    const step = await moveStep(deps, from, to)
    if (step === 0) return moved
    moved += step
  }
}

async function moveStep(deps: Deps, from: string, to: string): Promise<number> {
  try {
    return await inTransaction(deps.db, (tx) => moveStepIn(tx, deps, from, to))
  } catch (error) {
    // The other category was deleted meanwhile.
    throw isForeignKeyViolation(error) ? refuse('bad_category', 'category_not_found') : error
  }
}

async function moveStepIn(
  tx: Transaction<Tables>,
  { cache, moveWithThreads }: Deps,
  from: string,
  to: string,
): Promise<number> {
  const ids = await moveThreads(tx, from, to, CATEGORY_MOVE_STEP)
  if (ids.length === 0) return 0
  await moveWithThreads(tx, ids, to)
  const ofThreads = ids.flatMap((id) => [threadTags.thread(id), threadTags.tail(id)])
  const tags = [threadTags.lists, threadTags.category(from), threadTags.category(to), ...ofThreads]
  afterCommit(tx, () => cache.drop(tags, 'at once'))
  return ids.length
}

/**
 * Deletes a category in which nothing stands any more. What was opened since the last step moves here, where nobody opens more: the
 * category is locked.
 * @returns null when it is gone; else how many threads moved
 */
function deleteIfEmpty(
  deps: Deps,
  actor: Actor,
  { id, name, description }: CategoryRow,
  target: CategoryRow | null,
  moved: number,
): Promise<number | null> {
  const { db, now, cache, live, revisions } = deps
  const at = new Date(now())
  return inTransaction(db, async (tx) => {
    const categories = await lockCategories(tx)
    if (!categories.includes(id)) throw refuse('not_found', 'category_not_found')
    if (categories.length === 1) throw refuse('bad_category', 'category_last')
    let late = 0
    if (target !== null) {
      if (!categories.includes(target.id)) throw refuse('bad_category', 'category_not_found')
      late = await moveStepIn(tx, deps, id, target.id)
      await moveHeldOfCategory(tx, id, target.id)
    }
    const { visible, removed } = await countCategoryThreads(tx, id)
    if (visible + removed + (await countHeldOfCategory(tx, id)) > 0) return late
    await endBansOfCategory(tx, id, at)
    const moderators = await takeFromModerators(tx, id)
    await deleteCategory(tx, id)
    await insertAudit(tx, {
      ...{ actor, at, action: 'category_delete', categoryId: id, subject: name },
      details: { before: { name, description }, movedTo: target?.name ?? null, threads: moved + late },
    })
    await revisions.raise(tx, 'bans')
    await revisions.raise(tx, 'shields')
    afterCommit(tx, () => {
      cache.drop([CATEGORIES_TAG, threadTags.lists, threadTags.category(id)], 'at once')
      live.queueChanged()
    })
    await refreshModerators(tx, live, moderators, at)
    return null
  })
}

/** Threads, also removed ones that can still come back, and what waits for a moderator. */
async function countStanding({ db }: Deps, id: string): Promise<number> {
  const { visible, removed } = await countCategoryThreads(db, id)
  return visible + removed + (await countHeldOfCategory(db, id))
}
