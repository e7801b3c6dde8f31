/** What the opener of a thread (スレ主) did in it, as the thread shows it. */
import { sql, type RawBuilder } from 'kysely'
import type { OwnerAction } from '@shinobi/contract/owners'
import { isPostVisible } from '../../db/visible.ts'

/** An action in the answer of a thread; times are those of JSON. */
export interface ShownOwnerAction extends Omit<OwnerAction, '_id'> {
  readonly id: string
}

/**
 * SQL: the actions in a thread `t` with its post 1 `p` as JSON, the oldest first. A close that was
 * lifted by the lock's own dialog counts as undone: it stands as long as the lock is of that
 * moment. Notes belong to post 1, so a removal of it hides what they say.
 */
export const ownerActionsOf = (threadId: string): RawBuilder<readonly ShownOwnerAction[]> => sql`(
  select coalesce(json_agg(json_build_object(
    'id', a.id, 'at', a.at, 'kind', a.kind, 'number', a.number, 'posterId', a."posterId",
    'text', case when a.kind <> 'note' or ${isPostVisible('p')} then a.text end,
    'undone', coalesce(a."undoneBy", case when a.kind = 'close' and a.at is distinct from t."lockedAt" then 'staff' end)
  ) order by a.id), '[]')
  from "ownerActions" as a where a."threadId" = ${threadId}::uuid)`

export const toOwnerAction = ({ id, at, ...action }: ShownOwnerAction): OwnerAction => ({
  _id: id,
  at: new Date(at).toISOString(),
  ...action,
})
