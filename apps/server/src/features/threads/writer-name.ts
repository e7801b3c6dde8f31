import { NAMELESS } from '@shinobi/contract/nameless'
import type { Visitor } from '../../http/visitor.ts'
import { foldName } from '../../lib/fold.ts'

const nameless = foldName(NAMELESS)

/** Whether a nickname says that the writer wants none. */
export const isNameless = (nickname: string): boolean => foldName(nickname) === nameless

/** The name under which a visitor writes: a member's profile name whatever a client sends, else the nickname; null for none. */
export function writerName({ member }: Visitor, nickname: string | undefined): string | null {
  if (member !== null) return member.name
  return nickname === undefined || isNameless(nickname) ? null : nickname
}
