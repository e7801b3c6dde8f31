import { foldName } from '../../lib/fold.ts'

/** Names that would pass for the nameless or for those who run the board. */
const RESERVED = [
  ...['名無し', '管理人', '管理者', '運営', '運営者', 'モデレーター', 'スタッフ', '忍板', '忍板運営', '忍板管理人'],
  ...['公式', '忍板公式', '運営公式', '事務局', '運営事務局', 'システム', 'サポート', '削除人'],
  ...['admin', 'administrator', 'moderator', 'staff', 'official', 'system', 'root', 'support'],
]

/** What is hung around a name to make it another: 【管理人】, 管理人☆, -admin-. Of a folded name. */
const DECORATION = /[\p{P}\p{S}ー]+/gu
const undecorated = (name: string): string => foldName(name).replace(DECORATION, '')
const reserved = new Set(RESERVED.map(undecorated))

/** True for a name nobody may take, as a nickname or a member's name, however it is written and decorated. */
export const isReservedName = (name: string): boolean => reserved.has(undecorated(name))
