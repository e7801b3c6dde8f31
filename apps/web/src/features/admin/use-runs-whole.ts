import { useMember } from '../../lib/use-session.ts'

/** Whether the member runs the whole board: a moderator of some categories bans, and pins, within them only. */
export function useRunsWhole(): boolean {
  const member = useMember()
  return member !== null && (member.isAdmin || member.moderates === 'all')
}
