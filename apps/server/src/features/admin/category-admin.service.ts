/** Creating and deleting categories. A deleted category never takes threads with it. */
import type { Transaction } from 'kysely'
import { CATEGORY_MOVE_STEP } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import type { Tables } from '../../db/tables.ts'
import { afterCommit, inTransaction } from '../../db/transaction.ts'
import { ApiError, isForeignKeyViolation, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import { UUID, uuidv7 } from '../../lib/uuid.ts'
import { moveModerators, takeFromModerators } from '../accounts/moderators.queries.ts'
import { refreshModerators } from '../accounts/roles.service.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { endBansOfCategory, moveBansOfCategory } from '../bans/bans.queries.ts'
import {
  deleteCategory,
  insertCategory,
  lockCategories,
  selectCategories,
  selectCategory,
  updateCategory,
  type CategoryChange,
  type CategoryRow,
} from '../categories/categories.queries.ts'
import { CATEGORIES_TAG } from '../categories/categories.tags.ts'
import { awaitDecisions, countHeldOfCategory, moveHeldOfCategory } from '../held/held.queries.ts'
import { countCategoryThreads, moveThreads } from '../threads/threads-state.queries.ts'
import { threadTags } from '../threads/threads.tags.ts'
import type { AdminDeps } from './admin.deps.ts'

interface Actor {
  readonly id: string
  readonly name: string
}

/**
 * Threads may be opened, or approved, during the move; after so many rounds new ones arrive faster
 * than they are moved.
 */
const ROUNDS_MAX = 20

/** @throws ApiError taken; bad_category for a name that has the form of an id */
export async function createCategory(
  { db, now, cache }: AdminDeps,
  actor: Actor,
  { name, description, postLimit, posterIds, holdImages }: Omit<CategoryRow, 'id'>,
): Promise<CategoryRow> {
  // Browsers take dots in an address for steps in its path.
  if (UUID.test(name) || /^\.\.?$/.test(name)) throw refuse('bad_category', 'bad_request')
  const folded = foldName(name)
  const at = new Date(now())
  const category = { id: uuidv7(now()), name, description, postLimit, posterIds, holdImages }
  await inTransaction(db, async (tx) => {
    // Of two concurrent look-alikes the second one finds the first.
    await lockCategories(tx)
    if ((await selectCategories(tx)).some((other) => foldName(other.name) === folded))
      throw refuse('taken', 'category_name_taken')
    await insertCategory(tx, { ...category, at })
    const after = {
      ...{ name, description },
      ...(postLimit !== null && { postLimit }),
      ...(posterIds !== 'thread' && { posterIds }),
      ...(holdImages && { holdImages }),
    }
    await insertAudit(tx, {
      ...{ actor, at, action: 'category_create', categoryId: category.id, subject: name },
      details: { after },
    })
    // Cached lists of threads stay valid; pages that name the categories do not.
    afterCommit(tx, () => cache.drop([CATEGORIES_TAG], 'at once'))
  })
  return category
}

/**
 * Changes how many posts the threads of a category take, which IDs they show and whether images of
 * newcomers are held, from the next post on: closed threads stay closed, and posts keep the IDs
 * that they have.
 * @throws ApiError not_found
 */
export async function changeCategory(
  { db, now, cache }: AdminDeps,
  actor: Actor,
  id: string,
  change: CategoryChange,
): Promise<CategoryRow> {
  const at = new Date(now())
  return inTransaction(db, async (tx) => {
    const changed = await updateCategory(tx, id, change)
    if (changed === undefined) throw refuse('not_found', 'category_not_found')
    const { before, after } = changed
    const pick = (row: CategoryRow) =>
      Object.fromEntries(Object.keys(change).map((key) => [key, row[key as keyof CategoryChange]]))
    await insertAudit(tx, {
      ...{ actor, at, action: 'category_change', categoryId: id, subject: before.name },
      details: { before: pick(before), after: pick(after) },
    })
    afterCommit(tx, () => cache.drop([CATEGORIES_TAG, threadTags.limits], 'at once'))
    return after
  })
}

/**
 * Deletes a category. Its threads move to another one in small steps, each a transaction of its
 * own, so that nobody who writes into one of them waits for the whole move; threads opened
 * meanwhile move in the next round. When interrupted, it has moved some threads, and can be
 * repeated.
 * @throws ApiError not_found; has_threads without a category to move them to; bad_category for the
 * last category, or an invalid target
 */
export async function removeCategory(
  deps: AdminDeps,
  actor: Actor,
  id: string,
  moveTo: string | undefined,
): Promise<void> {
  const { db } = deps
  const category = UUID.test(id) ? await selectCategory(db, id) : undefined
  if (category === undefined) throw refuse('not_found', 'category_not_found')
  if (moveTo === undefined) {
    // Counted before any lock is taken: the count may take long.
    const standing = await countStanding(deps, id)
    if (standing.all === 0 && (await deleteIfEmpty(deps, actor, category, null, 0)) === null) return
    // The category was empty at the count, and received threads since.
    const { all, unlisted } = standing.all === 0 ? await countStanding(deps, id) : standing
    throw new ApiError('has_threads', messages.category_has_threads(all, unlisted))
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

/** @returns how many threads were moved */
async function moveAll(deps: AdminDeps, from: string, to: string): Promise<number> {
  let moved = 0
  for (;;) {
    const step = await moveStep(deps, from, to)
    if (step === 0) return moved
    moved += step
  }
}

async function moveStep(deps: AdminDeps, from: string, to: string): Promise<number> {
  try {
    return await inTransaction(deps.db, (tx) => moveStepIn(tx, deps, from, to))
  } catch (error) {
    // The target category was deleted meanwhile.
    throw isForeignKeyViolation(error) ? refuse('bad_category', 'category_not_found') : error
  }
}

async function moveStepIn(
  tx: Transaction<Tables>,
  { cache, threadEvents }: AdminDeps,
  from: string,
  to: string,
): Promise<number> {
  const ids = await moveThreads(tx, from, to, CATEGORY_MOVE_STEP)
  if (ids.length === 0) return 0
  await threadEvents.moveIn(tx, ids, to)
  const ofThreads = ids.flatMap((id) => [threadTags.thread(id), threadTags.tail(id)])
  const tags = [threadTags.lists, threadTags.category(from), threadTags.category(to), ...ofThreads]
  afterCommit(tx, () => cache.drop(tags, 'at once'))
  return ids.length
}

/**
 * Deletes an empty category. Threads opened since the last step are moved here; no more can be
 * opened, as the category is locked. What applied to these threads goes on in the target: bans,
 * moderators and news. Without a target its bans end.
 * @returns null when it is gone; else how many threads were moved
 */
function deleteIfEmpty(
  deps: AdminDeps,
  actor: Actor,
  { id, name, description }: CategoryRow,
  target: CategoryRow | null,
  moved: number,
): Promise<number | null> {
  const { db, now, cache, live, revisions, news } = deps
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
    const entry = { actor, at, categoryId: id, subject: name }
    const details = { before: { name, description }, movedTo: target?.name ?? null, threads: moved + late }
    let moderators: string[]
    if (target === null) {
      const banIds = await endBansOfCategory(tx, id, at)
      moderators = await takeFromModerators(tx, id)
      if (banIds.length > 0) {
        const lifted = { banIds, count: banIds.length }
        await insertAudit(tx, { ...entry, action: 'ban_lift', details: lifted, isPublic: true })
      }
      await insertAudit(tx, { ...entry, action: 'category_delete', details })
    } else {
      const bans = await moveBansOfCategory(tx, id, target.id, at)
      moderators = await moveModerators(tx, id, target.id)
      const moves = { bans, moderators: moderators.length, ...(await news.moveCategory(tx, id, target.id)) }
      await insertAudit(tx, { ...entry, action: 'category_delete', details: { ...details, ...moves } })
    }
    await deleteCategory(tx, id)
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

/** Counts threads, and what no list shows: removed ones, which can be restored, and held texts. */
async function countStanding({ db }: AdminDeps, id: string): Promise<{ all: number; unlisted: number }> {
  const { visible, removed } = await countCategoryThreads(db, id)
  const unlisted = removed + (await countHeldOfCategory(db, id))
  return { all: visible + unlisted, unlisted }
}
