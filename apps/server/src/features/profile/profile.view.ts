import type { Profile } from '@shinobi/contract/accounts'
import { imageUrl } from '../images/image-store.ts'
import type { UserRow } from '../accounts/users.queries.ts'

/** The profile as its own member sees it; never sent to others. */
export const toProfile = (user: UserRow, rooms: readonly { id: string; name: string }[]): Profile => ({
  name: user.name,
  picture: user.picture === null ? null : imageUrl(user.picture),
  room: rooms[0] ?? null,
  rooms: [...rooms],
  email: user.email,
  emailVerified: user.emailVerifiedAt !== null,
  hasPassword: user.passwordHash !== null,
  hasGoogle: user.googleSubject !== null,
})
