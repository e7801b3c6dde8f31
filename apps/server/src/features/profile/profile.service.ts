/** Changes of a member's own account: name and picture. */
import { PROFILE_IMAGE_EDGE, PROFILE_IMAGE_MAX_BYTES } from '@shinobi/contract/limits'
import { inTransaction } from '../../db/transaction.ts'
import type { Member } from '../../http/session.ts'
import type { Visitor } from '../../http/visitor.ts'
import { withUpload } from '../images/with-upload.ts'
import { refuse } from '../../lib/api-error.ts'
import { foldName } from '../../lib/fold.ts'
import type { StoredImage } from '../../db/tables.ts'
import type { ImageStore, Upload } from '../images/image-store.ts'
import { refuseName } from '../accounts/account-rules.ts'
import { takeName } from '../accounts/user-names.queries.ts'
import { lockMember, replacePicture, updateUser } from '../accounts/users.queries.ts'
import { NOWHERE } from '../bans/bans.service.ts'
import type { ProfileDeps } from './profile.deps.ts'

/**
 * Changes a member's name, under the rules of the registration. The former name stays reserved for
 * the member for FORMER_NAME_DAYS; posts keep the name they were posted under. Another spelling of
 * the same name is a change as well.
 * @param visitor somebody with an account
 * @throws ApiError banned, taken, banned_word, too_many_requests (five changes a day; failed ones
 * are not counted)
 */
export async function changeName(deps: ProfileDeps, visitor: Visitor, name: string): Promise<Member> {
  const { db, bans, limits, words, now } = deps
  const member = memberAmong(visitor)
  if (name === member.name) return member
  bans.check(visitor, NOWHERE)
  // Each attempt reveals whether a name is free, like a check of a nickname.
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
 * Replaces a member's picture by a new one, cropped to a square and encoded again; the former one
 * is deleted.
 * @param visitor somebody with an account
 * @throws ApiError banned, payload_too_large, unsupported_media_type, bad_image, too_many_requests
 * (uploads per hour), disk_full
 */
export async function changePicture(deps: ProfileDeps, visitor: Visitor, bytes: Buffer): Promise<StoredImage> {
  const { db, images } = deps
  const { id } = memberAmong(visitor)
  deps.bans.check(visitor, NOWHERE)
  const write = async (picture: StoredImage) => {
    const before = await replacePicture(db, id, picture)
    if (before === undefined) throw refuse('unauthorized', 'session_expired')
    if (before !== null) await images.remove(before)
    return picture
  }
  return withUpload(
    deps,
    visitor,
    bytes,
    (picture) => write(picture!),
    (given, upload) => storeSquare(images, given, upload),
  )
}

async function storeSquare(images: ImageStore, bytes: Buffer, upload: Upload): Promise<StoredImage> {
  if (bytes.length > PROFILE_IMAGE_MAX_BYTES) throw refuse('payload_too_large', 'profile_image_too_large')
  return images.saveSquare(bytes, PROFILE_IMAGE_EDGE, upload)
}

function memberAmong({ member }: Visitor): Member {
  if (member === null) throw new Error('only members have a profile')
  return member
}
