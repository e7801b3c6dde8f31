/** The part of a changed record that is sent to the other devices of a member; pure. */
import { newEntry, type NotebookEntry } from '@shinobi/contract/notebook-entry'
import { newRecord, type ThreadRecord } from './record.ts'

/**
 * The fields that a change has set, as an entry of the notebook. The other fields are left out:
 * they may be of somebody else who used this browser, and must not get into this member's account.
 * @param next null for a deleted record
 * @returns null when only fields have changed that are not in the account, such as the title
 */
export function deltaOf(
  threadId: string,
  before: ThreadRecord = newRecord(threadId),
  next: ThreadRecord | null,
  now: number,
): NotebookEntry | null {
  const updatedAt = Math.max(now, before.updatedAt)
  if (next === null) return { ...newEntry(threadId), updatedAt, forgottenAt: updatedAt }
  const { readThrough, visitedAt, visitRemovedAt, favouriteAt, favouriteRemovedAt } = next
  const { isOwn, isOwnRemoved, ownPosts, ownPostsRemovedThrough } = next
  const written = ownPosts.filter((number) => !before.ownPosts.includes(number))
  const set: Partial<NotebookEntry> = {
    ...(readThrough > before.readThrough && { readThrough }),
    ...(visitedAt !== null && visitedAt !== before.visitedAt && { visitedAt }),
    ...(visitRemovedAt !== before.visitRemovedAt && { visitRemovedAt }),
    ...(favouriteAt !== null && favouriteAt !== before.favouriteAt && { favouriteAt }),
    ...(favouriteRemovedAt !== before.favouriteRemovedAt && { favouriteRemovedAt }),
    ...(isOwn && !before.isOwn && { isOwn }),
    ...(isOwnRemoved !== before.isOwnRemoved && { isOwnRemoved }),
    ...(written.length > 0 && { ownPosts: written }),
    ...(ownPostsRemovedThrough !== before.ownPostsRemovedThrough && { ownPostsRemovedThrough }),
  }
  return Object.keys(set).length === 0 ? null : { ...newEntry(threadId), ...set, updatedAt }
}
