import type { User } from '@shinobi/contract/accounts'
import type { Member } from '../../http/session.ts'
import { imageUrl } from '../images/image-store.ts'

/** The signed-in user, shown to themselves alone. */
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
