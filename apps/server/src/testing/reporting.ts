/** Reports for tests about moderation. */
import type { ModerationCase } from '@shinobi/contract/moderation'
import type { Post } from '@shinobi/contract/posts'
import { visit, type Board, type Guest } from './board.ts'

export type PostKey = Pick<Post, 'threadId' | '_id'>

let addresses = 0
/** An address that no other guest uses. */
export const anotherAddress = (): string => {
  addresses += 1
  return `198.18.${Math.floor(addresses / 250)}.${1 + (addresses % 250)}`
}

/** Milliseconds until the next day in UTC, when hashes of addresses change. */
export const untilMidnight = ({ clock }: Board): number => 86_400_000 - (clock.now % 86_400_000)

export async function reportAs(who: Guest, post: PostKey, reason = '荒らしです'): Promise<void> {
  const answer = await who.post(`/api/threads/${post.threadId}/posts/${post._id}/report`, { reason, content: '見た文' })
  if (answer.status !== 200) throw new Error(`the report was refused: ${JSON.stringify(answer.body)}`)
}

/** Reports a post by this many visitors, each from a different address. */
export async function reportTimes(board: Board, post: PostKey, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await reportAs(visit(board, anotherAddress()), post)
}

export const caseUrl = (post: PostKey): string => `/api/admin/cases/${post.threadId}/${post._id}`

export const caseOf = async (moderator: Guest, post: PostKey): Promise<ModerationCase> =>
  (await moderator.get<ModerationCase>(caseUrl(post))).body

export const decide = (moderator: Guest, post: PostKey, decision: object) =>
  moderator.post<{ case: ModerationCase; actionId: string; removed: number }>(`${caseUrl(post)}/decision`, decision)

export const undo = (moderator: Guest, actionId: string) =>
  moderator.post<{ code?: string; message?: string }>(`/api/admin/actions/${actionId}/undo`)

/** A post as readers see it. */
export async function readPost(board: Board, post: PostKey): Promise<Post> {
  const { body } = await visit(board).get<Post[]>(`/api/threads/${post.threadId}/posts?limit=100`)
  return body.find(({ _id }) => _id === post._id)!
}
