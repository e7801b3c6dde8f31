/** What a member changes of the own account: the name and the picture. */
import { PROFILE_IMAGE_EDGE, PROFILE_IMAGE_MAX_BYTES } from '@shinobi/contract/limits'
import { messages } from '@shinobi/contract/messages'
import { inTransaction } from '../../db/transaction.ts'
import type { Deps } from '../../deps.ts'
import type { Member } from '../../http/session.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload } from '../../http/with-upload.ts'
import { ApiError, refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import type { Admit, ImageStore, StoredImage } from '../../lib/image-store.ts'
import { refuseName } from '../accounts/account-rules.ts'
import { takeName } from '../accounts/user-names.queries.ts'
import { lockMember, replacePicture, updateUser } from '../accounts/users.queries.ts'
import { NOWHERE } from '../bans/bans.service.ts'

/**
 * Changes a member's name, under the rules of the registration. The former one stays theirs for FORMER_NAME_DAYS; what was
 * posted keeps the name it was posted under. The same name spelled otherwise is a change as well.
 * @param visitor somebody with an account
 * @throws ApiError banned, taken, banned_word, too_many_requests (five changes a day; tries that came to nothing are not counted)
 */
export async function changeName(deps: Deps, visitor: Visitor, name: string): Promise<Member> {
  const { db, bans, limits, words, now } = deps
  const member = memberAmong(visitor)
  if (name === member.name) return member
  bans.check(visitor, NOWHERE)
  // Each try tells whether a name is free, as a check of a nickname does.
  await limits.nicknameChecks.take(visitor)
  refuseName(words, name)
  await limits.nameChanges.take(member.id)
  let isChanged = false
  try {
    await inTransaction(db, async (tx) => {
      if (!(await lockMember(tx, member.id))) throw refuse('unauthorized', 'session_expired')
      const isTaken = await takeName(tx, member.id, foldName(name), new Date(now()))
      if (!isTaken) throw refuse('taken', 'username_taken')
      await updateUser(tx, member.id, { name })
    })
    isChanged = true
  } finally {
    if (!isChanged) await limits.nameChanges.giveBack(member.id)
  }
  return { ...member, name }
}

/**
 * Gives a member a new picture, cut to a square and written anew; the former one is removed.
 * @param visitor somebody with an account
 * @throws ApiError banned, payload_too_large, unsupported_media_type, bad_image, too_many_requests (uploads an hour), disk_full
 */
export async function changePicture(deps: Deps, visitor: Visitor, bytes: Buffer): Promise<StoredImage> {
  const { db, images } = deps
  const { id } = memberAmong(visitor)
  deps.bans.check(visitor, NOWHERE)
  const write = async (picture: StoredImage) => {
    const before = await replacePicture(db, id, picture)
    if (before === undefined) throw refuse('unauthorized', 'session_expired')
    if (before !== null) await images.remove(before)
    return { result: picture, used: true }
  }
  return withUpload(
    deps,
    visitor,
    bytes,
    (picture) => write(picture!),
    (given, admit) => storeSquare(images, given, admit),
  )
}

async function storeSquare(images: ImageStore, bytes: Buffer, admit: Admit): Promise<StoredImage> {
  if (bytes.length > PROFILE_IMAGE_MAX_BYTES) throw refuse('payload_too_large', 'profile_image_too_large')
  try {
    return await images.saveSquare(bytes, PROFILE_IMAGE_EDGE, admit)
  } catch (error) {
    const isNoImage = error instanceof ApiError && error.code === 'unsupported_media_type'
    throw isNoImage ? new ApiError(error.code, messages.profile_image_type) : error
  }
}

function memberAmong({ member }: Visitor): Member {
  if (member === null) throw new Error('only members have a profile')
  return member
}
