/** Nicknames of anonymous visitors: one per thread, kept for the session of the browser tab (SPEC §3, §4). */
import { NICKNAME_SUFFIX_LENGTH } from '@shinobi/contract/limits'

const ADJECTIVES = [
  ...['静かな', '素早い', '影の', '月夜の', '隠れた', '眠たい', '気ままな', '旅する', '無口な', '身軽な', '風まかせの'],
  ...['霧の', '夜更けの', '朝露の', '雪国の', '竹林の', '闇夜の', '迷子の', '見習いの', '腹ぺこの', '謎の', '涼しげな'],
]
const NOUNS = [
  ...['忍者', 'くノ一', '手裏剣', '巻物', '烏', '鷹', '狐', '狸', '猫', '蛍', '影法師', '隠密', '飛脚', '頭領', '絡繰'],
  ...['侍', '山伏', '蛙', '大蛇', '梟', '三日月', '忍犬', '煙玉', '撒菱'],
]
/** Neither l, 1 and i nor o and 0, which people confuse when they read a name aloud. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** A number from 0 to `below − 1`, every one equally likely. */
export type RandomBelow = (below: number) => number

const cryptoRandom: RandomBelow = (below) => {
  const fair = 2 ** 32 - (2 ** 32 % below)
  for (;;) {
    const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (value < fair) return value % below
  }
}

/** Something like 静かな忍者_k3x9p. */
export function generateNickname(random: RandomBelow = cryptoRandom): string {
  const pick = (list: ArrayLike<string>) => list[random(list.length)] ?? ''
  const suffix = Array.from({ length: NICKNAME_SUFFIX_LENGTH }, () => pick(LETTERS)).join('')
  return `${pick(ADJECTIVES)}${pick(NOUNS)}_${suffix}`
}

const keyOf = (threadId: string) => `anonymousNickname-${threadId}`

export function storedNickname(threadId: string): string | null {
  try {
    return sessionStorage.getItem(keyOf(threadId))
  } catch {
    return null
  }
}

export function storeNickname(threadId: string, name: string): void {
  try {
    sessionStorage.setItem(keyOf(threadId), name)
  } catch {
    // Storage closed to us (private windows): the name lasts as long as the page.
  }
}
