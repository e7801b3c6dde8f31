import type { ThreadItem } from '@shinobi/contract/threads'
import { readRecords } from '../reading/store.ts'
import { unreadOf } from '../reading/unread.ts'

/** Unread posts by thread; 0 for threads that this browser never opened. */
export async function countUnread(threads: readonly ThreadItem[]): Promise<[threadId: string, unread: number][]> {
  const records = new Map((await readRecords()).map((record) => [record.threadId, record]))
  return threads.map(({ _id, postCount }) => [_id, unreadOf(records.get(_id), postCount) ?? 0])
}
