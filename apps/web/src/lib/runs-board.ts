import type { User } from '@shinobi/contract/accounts'

/** Who may open the administration: administrators and moderators with a mail address (docs/product.md#people). */
export const runsBoard = ({ isAdmin, moderates, email }: User): boolean =>
  // The copy of the user that an older version kept knows of no moderators.
  email !== null && (isAdmin || (moderates ?? null) !== null)

/** Whether a member moderates a category. */
export const moderatesIn = (user: User, categoryId: string): boolean =>
  runsBoard(user) && (user.isAdmin || user.moderates === 'all' || user.moderates?.includes(categoryId) === true)

/**
 * Whether a member may write into a category with the seal of those who run the board: `asStaff` of a post or a thread. The server
 * judges again.
 * @param user null for who is not logged in
 */
export const mayWriteAsStaff = (user: User | null, categoryId: string): boolean =>
  user !== null && !user.secondFactorMissing && moderatesIn(user, categoryId)
