import type { ResponseCache } from '../../http/response-cache.ts'
import type { Live } from '../../realtime/live.ts'
import type { SearchIndexer } from '../search/search.indexer.ts'
import type { SortColumns } from '../threads/threads.sort-columns.ts'
import { threadTags } from '../threads/threads.tags.ts'
import { toPost } from './posts.view.ts'
import type { PostWriter, WrittenPost } from './posts.writer.ts'

export interface PostFollowers {
  readonly cache: Pick<ResponseCache, 'drop'>
  readonly live: Pick<Live, 'newPost'>
  readonly search: Pick<SearchIndexer, 'add'>
  readonly sortColumns: Pick<SortColumns, 'touch'>
}

/**
 * After each commit of posts: invalidates caches, notifies clients, and queues the posts for the
 * search index and the sort columns.
 */
export function announcePosts(
  writer: Pick<PostWriter, 'onCommit'>,
  { cache, live, search, sortColumns }: PostFollowers,
) {
  writer.onCommit((posts) => cache.drop(tagsOf(posts), 'throttled'))
  writer.onCommit((posts) => {
    for (const { row, placed } of posts) {
      if (placed === null) continue
      live.newPost(toPost(row), { threadId: row.threadId, postCount: row.number, revision: placed.revision })
    }
  })
  writer.onCommit((posts) =>
    search.add(posts.map(({ row }) => ({ threadId: row.threadId, number: row.number, text: row.content }))),
  )
  writer.onCommit((posts) => sortColumns.touch(new Set(posts.map(({ row }) => row.threadId))))
}

function tagsOf(posts: readonly WrittenPost[]): Set<string> {
  const tags = new Set<string>([threadTags.lists])
  for (const { row, placed } of posts) {
    tags.add(threadTags.tail(row.threadId))
    tags.add(threadTags.answers(row.threadId))
    if (placed !== null) tags.add(threadTags.category(placed.categoryId))
  }
  return tags
}
