import { foldName } from '../../lib/fold.ts'

/** Names that would pass for the nameless or for those who run the board. */
const RESERVED = [
  '名無し',
  '管理人',
  '管理者',
  '運営',
  '運営者',
  'モデレーター',
  '忍板',
  'admin',
  'administrator',
  'moderator',
  'system',
]
const folded = new Set(RESERVED.map(foldName))

/** True for a name nobody may take, however it is written. */
export const isReservedNickname = (name: string): boolean => folded.has(foldName(name))
