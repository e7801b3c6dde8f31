import type { Shield, ShieldNotice } from '@shinobi/contract/shields'
import type { CategoryRow } from '../categories/categories.queries.ts'
import type { Shields, StandingShield } from './shields.service.ts'

export const toShieldNotice = (shield: StandingShield, category: CategoryRow): ShieldNotice => ({
  categoryId: category.id,
  category: category.name,
  step: shield.step,
  since: shield.since.toISOString(),
})

/** A category's shield for moderators, also at step 0. */
export function toShield(shields: Shields, category: CategoryRow): Shield {
  const standing = shields.find(category.id)
  const { post, thread } = shields.countTries(category.id)
  return {
    categoryId: category.id,
    category: category.name,
    step: standing?.step ?? 0,
    since: standing?.since.toISOString() ?? null,
    manual: standing?.manual ?? false,
    until: standing?.until?.toISOString() ?? null,
    postsPerMinute: post,
    threadsPerMinute: thread,
  }
}
