import type { User } from '@shinobi/contract/accounts'
import type { Member } from '../../http/session.ts'
import { imageUrl } from '../../lib/image-store.ts'

/** The signed-in user, for themselves and nobody else. */
export const toUser = ({
  id,
  name,
  email,
  picture,
  isAdmin,
  moderates,
  secondFactorMissing,
}: Omit<Member, 'sessionId'>): User => ({
  _id: id,
  name,
  email,
  picture: picture === null ? null : imageUrl(picture),
  isAdmin,
  moderates: moderates === null || moderates === 'all' ? moderates : [...moderates],
  secondFactorMissing,
})
