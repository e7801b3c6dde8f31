/**
 * Deletes removed content permanently, each part by the feature that owns it. docs/retention.md
 * lists the times.
 */
import type { Core } from './core.ts'
import type { ImageStore } from './features/images/image-store.ts'
import { deleteRoomsOfThread } from './features/accounts/rooms.queries.ts'
import { deleteDatLengthsOfThread } from './features/gateway/dats.queries.ts'
import { deleteHeldOfThread } from './features/held/held.release.ts'
import { deleteIpLogOfThread } from './features/ip-logging/ip-logging.queries.ts'
import { deleteLikesOfThread } from './features/likes/liked-lists.queries.ts'
import { deleteOwnerActionsOfThread } from './features/owners/owners.queries.ts'
import { clearRemovedPosts, deletePostsOfThread } from './features/posts/posts-purge.service.ts'
import { clearEvidence, deleteReportsOfThread } from './features/reports/reports.queries.ts'
import { deleteDocumentsOfThread } from './features/search/search.queries.ts'
import { deleteRemovedThreads } from './features/threads/threads-purge.service.ts'

type PurgeDeps = Pick<Core, 'db'> & { readonly images: ImageStore }

/**
 * Clears posts that were removed long enough ago. Their evidence in reports is cleared first: it is
 * looked up through the posts.
 */
export const purgePosts = (deps: PurgeDeps, now: number, signal?: AbortSignal): Promise<void> =>
  clearRemovedPosts(deps, clearEvidence, now, signal)

const ROWS = [
  deleteDocumentsOfThread,
  deleteLikesOfThread,
  deleteRoomsOfThread,
  deleteReportsOfThread,
  deleteIpLogOfThread,
  deleteOwnerActionsOfThread,
  deleteDatLengthsOfThread,
] as const

/** Deletes threads that were removed long enough ago, with all rows that refer to them. */
export function purgeThreads(deps: PurgeDeps, now: number, signal?: AbortSignal): Promise<void> {
  const parts = [
    (threadId: string, limit: number) => deletePostsOfThread(deps, threadId, limit),
    ...ROWS.map((part) => (threadId: string, limit: number) => part(deps.db, threadId, limit)),
    (threadId: string) => deleteHeldOfThread(deps, threadId),
  ]
  return deleteRemovedThreads(deps, parts, now, signal)
}
