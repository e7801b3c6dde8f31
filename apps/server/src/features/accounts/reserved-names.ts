import { foldName } from '../../lib/fold.ts'

/** Names that would pass for the nameless or for those who run the board. */
const RESERVED = [
  ...['名無し', '管理人', '管理者', '運営', '運営者', 'モデレーター', 'スタッフ', '忍板', '忍板運営', '忍板管理人'],
  ...['admin', 'administrator', 'moderator', 'staff', 'official', 'system', 'root'],
]
const folded = new Set(RESERVED.map(foldName))

/** True for a name nobody may take, as a nickname or a member's name, however it is written. */
export const isReservedName = (name: string): boolean => folded.has(foldName(name))
