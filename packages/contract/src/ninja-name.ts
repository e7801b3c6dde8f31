/** Generated names, which reveal nothing about their writer. */
import { NICKNAME_SUFFIX_LENGTH } from './limits.ts'

const ADJECTIVES = [
  ...['静かな', '素早い', '影の', '月夜の', '隠れた', '眠たい', '気ままな', '旅する', '無口な', '身軽な', '風まかせの'],
  ...['霧の', '夜更けの', '朝露の', '雪国の', '竹林の', '闇夜の', '迷子の', '見習いの', '腹ぺこの', '謎の', '涼しげな'],
]
const NOUNS = [
  ...['忍者', 'くノ一', '手裏剣', '巻物', '烏', '鷹', '狐', '狸', '猫', '蛍', '影法師', '隠密', '飛脚', '頭領', '絡繰'],
  ...['侍', '山伏', '蛙', '大蛇', '梟', '三日月', '忍犬', '煙玉', '撒菱'],
]
/** Without l, 1, i, o and 0, which people confuse when they read a name aloud. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** Returns a number from 0 to `below − 1`, each equally likely. */
export type RandomBelow = (below: number) => number

const cryptoRandom: RandomBelow = (below) => {
  const fair = 2 ** 32 - (2 ** 32 % below)
  for (;;) {
    const [value = 0] = crypto.getRandomValues(new Uint32Array(1))
    if (value < fair) return value % below
  }
}

/**
 * A name such as 静かな忍者_k3x9p, proposed as a nickname or given to a member who has not chosen one.
 * It fits both limits.
 */
export function generateNinjaName(random: RandomBelow = cryptoRandom): string {
  const pick = (list: ArrayLike<string>) => list[random(list.length)] ?? ''
  const words = pick(ADJECTIVES) + pick(NOUNS)
  const suffix = Array.from({ length: NICKNAME_SUFFIX_LENGTH }, () => pick(LETTERS)).join('')
  return `${words}_${suffix}`
}
