import type { BoardSettings } from '@shinobi/contract/settings'
import type { Member } from '../../http/session.ts'

/** The settings that require a second factor. */
export type SecondFactorPolicy = Pick<BoardSettings, 'requireSecondFactor' | 'requireModeratorSecondFactor'>

/** Whether the administration is closed to this member for lack of a second factor. */
export const needsSecondFactor = (
  { requireSecondFactor, requireModeratorSecondFactor }: SecondFactorPolicy,
  { isAdmin, moderates }: Pick<Member, 'isAdmin' | 'moderates'>,
): boolean => (isAdmin ? requireSecondFactor : requireModeratorSecondFactor && moderates !== null)
