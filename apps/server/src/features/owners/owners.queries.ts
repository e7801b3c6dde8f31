import type { Selectable } from 'kysely'
import type { Db } from '../../db/client.ts'
import { deleteOfThread } from '../../db/delete-of-thread.ts'
import type { OwnerActionsTable } from '../../db/tables.ts'
import { isPostVisible } from '../../db/visible.ts'
import type { PostTarget } from '../posts/removals.queries.ts'

export type OwnerActionRow = Selectable<OwnerActionsTable>

/** An action by its thread and id. */
export type ActionKey = Pick<OwnerActionRow, 'threadId' | 'id'>

/** All actions in a thread, the oldest first. It has at most OWNER_ACTIONS_MAX. */
export const selectActions = (db: Db, threadId: string): Promise<OwnerActionRow[]> =>
  db.selectFrom('ownerActions').selectAll().where('threadId', '=', threadId).orderBy('id').execute()

export const selectAction = (db: Db, { threadId, id }: ActionKey): Promise<OwnerActionRow | undefined> =>
  db.selectFrom('ownerActions').selectAll().where('threadId', '=', threadId).where('id', '=', id).executeTakeFirst()

export async function insertAction(tx: Db, action: Omit<OwnerActionRow, 'undoneBy'>): Promise<void> {
  await tx.insertInto('ownerActions').values(action).execute()
}

/** Marks an action as taken back, and deletes what it said. The thread must be locked. */
export async function markUndone(tx: Db, { threadId, id }: ActionKey, undoneBy: 'owner' | 'staff'): Promise<void> {
  await tx
    .updateTable('ownerActions')
    .set({ undoneBy, text: null })
    .where('threadId', '=', threadId)
    .where('id', '=', id)
    .execute()
}

/** A post on which the opener of its thread may act. */
export interface TargetPost {
  readonly number: number
  readonly createdAt: Date
  readonly asStaff: boolean
  readonly posterId: string | null
}

/** Undefined for a removed post too. */
export const selectTarget = (db: Db, { threadId, postId }: PostTarget): Promise<TargetPost | undefined> =>
  db
    .selectFrom('posts')
    .select(['number', 'createdAt', 'asStaff', 'posterId'])
    .where('threadId', '=', threadId)
    .where('id', '=', postId)
    .where(isPostVisible())
    .executeTakeFirst()

/** Deletes some of a thread's actions. @returns whether there may be more */
export const deleteOwnerActionsOfThread = (db: Db, threadId: string, limit: number): Promise<boolean> =>
  deleteOfThread(db, 'ownerActions', threadId, limit)
