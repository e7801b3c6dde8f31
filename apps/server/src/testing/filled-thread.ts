import type { Thread } from '@shinobi/contract/threads'
import { insertPosts } from '../features/posts/numbering.queries.ts'
import { uuidv7 } from '../lib/uuid.ts'
import { startThread, type Board, type Guest } from './board.ts'

/** Opens a thread and writes posts into it by one statement, up to the given number. */
export async function fillThread(
  board: Pick<Board, 'database' | 'clock'>,
  guest: Guest,
  postCount: number,
  fields: Readonly<Record<string, string>> = {},
): Promise<Thread> {
  const thread = await startThread(guest, fields)
  const at = board.clock.now
  const nobody = { name: null, image: null, userId: null, clientPostId: null, visitorId: uuidv7(at) }
  const posts = Array.from({ length: postCount - 1 }, (_, index) => ({
    ...{ threadId: thread._id, id: uuidv7(at), content: `${index + 2}番目`, ...nobody },
  }))
  await insertPosts(board.database.db, posts, { at, postLimit: 1_000_000 })
  return (await guest.get<Thread>(`/api/threads/${thread._id}`)).body
}
