import type { Dashboard } from '@shinobi/contract/admin'
import type { Core } from '../../core.ts'
import { countByHour, countSince, selectTotals } from '../../db/tallies.ts'
import { countCategories } from '../categories/categories.queries.ts'

const DAY_MS = 86_400_000
const DAYS = 7

const REFUSED = { enough: 'nothing', low: 'pictures', full: 'writes' } as const

/** The figures of the board: exact, and as cheap with ten million posts as with ten. */
export async function readDashboard({
  config,
  db,
  now,
  writability,
}: Pick<Core, 'config' | 'db' | 'now' | 'writability'>): Promise<Dashboard> {
  const at = now()
  const totals = await selectTotals(db)
  const { freeBytes, state } = writability.disk
  const usersByHour = await countByHour(db, 'users', at, DAYS * 24)
  return {
    ...totals,
    categories: await countCategories(db),
    recentPosts: await countSince(db, 'posts', at - DAY_MS),
    recentUsers: await countSince(db, 'users', at - DAYS * DAY_MS),
    postsByHour: await countByHour(db, 'posts', at, 24),
    usersByDay: Array.from({ length: DAYS }, (_, day) =>
      usersByHour.slice(day * 24, (day + 1) * 24).reduce((sum, count) => sum + count, 0),
    ),
    disk: { freeBytes, minFreeBytes: config.minFreeBytes, refused: REFUSED[state] },
  }
}
