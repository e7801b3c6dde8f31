/** Steps of raid mode that moderators set by hand. Automatic steps are in shields.service.ts. */
import type { Core } from '../../core.ts'
import { inTransaction } from '../../db/transaction.ts'
import { requirePermission, type Moderator } from '../../http/access-guard.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertAudit } from '../audit/audit.queries.ts'
import { selectCategory, type CategoryRow } from '../categories/categories.queries.ts'
import { deleteShield, lockShield, setShield } from './shields.queries.ts'

/**
 * Sets a step, or (null) returns the category to automatic steps. It applies on this server when
 * this resolves, on others within two seconds.
 * @param minutes null: until the next change
 * @returns the category
 * @throws ApiError not_found, forbidden
 */
export async function setShieldByHand(
  { db, now, revisions }: Pick<Core, 'db' | 'now' | 'revisions'>,
  moderator: Moderator,
  categoryId: string,
  { step, minutes }: { readonly step: number | null; readonly minutes: number | null },
): Promise<CategoryRow> {
  const category = await selectCategory(db, categoryId)
  if (category === undefined) throw refuse('not_found', 'category_not_found')
  requirePermission(moderator, 'setShields', categoryId)
  const at = new Date(now())
  const until = minutes === null ? null : new Date(at.getTime() + minutes * 60_000)
  await inTransaction(db, async (tx) => {
    const row = await lockShield(tx, categoryId)
    const isOver = row?.manual === true && row.until !== null && row.until <= at
    const before = isOver ? 0 : (row?.step ?? 0)
    if (step === null) {
      // An automatic step stays as it is.
      if (row?.manual !== true) return
      await deleteShield(tx, categoryId)
    } else {
      await setShield(tx, { categoryId, step, at, until })
    }
    const after = step ?? 0
    await insertAudit(tx, {
      actor: moderator,
      at,
      // Step 0 is no raid mode, whoever decides about it.
      action: after > 0 && after >= before ? 'shield_raise' : 'shield_lower',
      categoryId,
      subject: category.name,
      details: {
        before: { step: before, manual: row?.manual ?? false, until: row?.until?.toISOString() ?? null },
        after: { step, manual: step !== null, until: until?.toISOString() ?? null },
      },
      isPublic: true,
    })
    await revisions.raise(tx, 'shields')
  })
  await revisions.settle()
  return category
}
