import type { SummaryKind } from '@shinobi/contract/threads'
import type { Db } from '../../db/client.ts'
import { isThreadVisible } from '../../db/visible.ts'

/** What the picture of a thread is made of. */
export interface CardRow {
  readonly title: string
  readonly category: string
  readonly postCount: number
  readonly aiGenerated: boolean
  readonly summary: SummaryKind | null
}

export const selectCard = (db: Db, threadId: string): Promise<CardRow | undefined> =>
  db
    .selectFrom('threads')
    .innerJoin('categories', 'categories.id', 'threads.categoryId')
    .select(['threads.title', 'categories.name as category', 'postCount', 'aiGenerated', 'summary'])
    .where('threads.id', '=', threadId)
    .where(isThreadVisible('threads'))
    .executeTakeFirst()
