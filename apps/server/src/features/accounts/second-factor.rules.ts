import type { BoardSettings } from '@shinobi/contract/settings'
import type { Member } from '../../http/session.ts'

/** The settings that say who has to have a second factor. */
export type SecondFactorPolicy = Pick<BoardSettings, 'requireSecondFactor' | 'requireModeratorSecondFactor'>

/** Whether nothing of the administration opens for somebody without a second factor. */
export const needsSecondFactor = (
  { requireSecondFactor, requireModeratorSecondFactor }: SecondFactorPolicy,
  { isAdmin, moderates }: Pick<Member, 'isAdmin' | 'moderates'>,
): boolean => (isAdmin ? requireSecondFactor : requireModeratorSecondFactor && moderates !== null)
