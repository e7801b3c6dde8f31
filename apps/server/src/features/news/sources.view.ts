import type { NewsSource } from '@shinobi/contract/news'
import type { SourceRow } from './sources.queries.ts'

export const toNewsSource = (row: SourceRow): NewsSource => ({
  _id: row.id,
  url: row.url,
  name: row.name,
  categoryId: row.categoryId,
  category: row.category,
  language: row.language,
  permission: row.permission,
  intervalMinutes: row.intervalMinutes,
  active: row.active,
  fetchedAt: row.fetchedAt?.toISOString() ?? null,
  nextFetchAt: row.nextFetchAt.toISOString(),
  problem: row.problem,
  failures: row.failures,
  threads: row.threads,
  createdAt: row.createdAt.toISOString(),
})
