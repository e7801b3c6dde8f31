import type { User } from '@shinobi/contract/accounts'

/** Who may open the administration (SPEC §2 and §6: an address is part of it): administrators and moderators. */
export const runsBoard = ({ isAdmin, moderates, email }: User): boolean =>
  // The copy of the user that an older version kept knows of no moderators.
  email !== null && (isAdmin || (moderates ?? null) !== null)
