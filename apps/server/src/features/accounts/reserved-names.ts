import { foldName } from '../../lib/fold.ts'
import { createLru } from '../../lib/lru.ts'

/** Names that readers would take for anonymous writers or for the staff. */
const RESERVED = [
  ...['名無し', '名無しさん', 'ななし', 'ななしさん'],
  ...['管理人', '管理者', '運営', '運営者', 'モデレーター', 'スタッフ', '忍板', '忍板運営', '忍板管理人'],
  ...['公式', '忍板公式', '運営公式', '事務局', '運営事務局', 'システム', 'サポート', '削除人', 'あぼーん', '削除'],
  ...['運営チーム', '運営スタッフ', '忍板スタッフ', 'かんりにん', 'かんりしゃ', 'うんえい', 'うんえいしゃ'],
  ...['admin', 'administrator', 'moderator', 'mod', 'staff', 'official', 'system', 'root', 'support'],
  ...[
    'あどみん',
    'kanri',
    'kanrinin',
    'kanrisha',
    'unei',
    'uneisha',
    'moderaataa',
    'sutaffu',
    'koushiki',
    'shinobiita',
  ],
]

/** Affixes with which a name is read as the same one, or the real one. In folded form. */
const BOASTS = [
  ...['本物', '本人', '真', '公式', '本家', 'real', 'official'],
  ...['さん', 'さま', '様', 'です', 'より', '副', '代理'],
].map((boast) => foldName(boast))

/**
 * Letters of scripts that are not used here, drawn like Latin ones: decorated names use them
 * (ᏦᎪNᎡI). Uniqueness of names depends on `foldName` alone, whose folds are stored.
 */
const COSTUMES = new Map(
  Object.entries({
    // Cherokee
    ...{ Ꭺ: 'a', Ᏼ: 'b', Ᏸ: 'b', Ꮟ: 'b', Ꮯ: 'c', Ꭰ: 'd', Ꭼ: 'e', Ꮐ: 'g', Ꮋ: 'h', Ꭵ: 'i', Ꮖ: 'i', Ꭻ: 'j', Ꮶ: 'k' },
    ...{ Ꮮ: 'l', Ꮇ: 'm', Ꮑ: 'n', Ꮒ: 'n', Ꭴ: 'o', Ꮎ: 'o', Ꮲ: 'p', Ꭱ: 'r', Ꮢ: 'r', Ꮪ: 's', Ꭲ: 't', Ꮼ: 'u', Ꮩ: 'v' },
    ...{ Ꮃ: 'w', Ꮤ: 'w', Ꭹ: 'y', Ꮍ: 'y', Ꮓ: 'z', Ꭶ: 's', Ꮦ: 't', Ꮥ: 's', Ꮷ: 'd', Ꮵ: 'h' },
    // Canadian syllabics
    ...{ ᗅ: 'a', ᗩ: 'a', ᗷ: 'b', ᑕ: 'c', ᗞ: 'd', ᗪ: 'd', ᗴ: 'e', ᖴ: 'f', ᘜ: 'g', ᕼ: 'h', ᒍ: 'j', ᛕ: 'k', ᒪ: 'l' },
    ...{ ᗰ: 'm', ᑎ: 'n', ᑭ: 'p', ᖇ: 'r', ᔕ: 's', ᑌ: 'u', ᐯ: 'v', ᗯ: 'w' },
    // Lisu
    ...{ ꓮ: 'a', ꓐ: 'b', ꓚ: 'c', ꓓ: 'd', ꓰ: 'e', ꓝ: 'f', ꓖ: 'g', ꓧ: 'h', ꓲ: 'i', ꓙ: 'j', ꓗ: 'k', ꓡ: 'l', ꓟ: 'm' },
    ...{ ꓠ: 'n', ꓳ: 'o', ꓑ: 'p', ꓣ: 'r', ꓢ: 's', ꓔ: 't', ꓴ: 'u', ꓦ: 'v', ꓪ: 'w', ꓫ: 'x', ꓬ: 'y', ꓜ: 'z' },
  }),
)
const undress = (name: string): string =>
  Array.from(name, (letter) => COSTUMES.get(letter) ?? COSTUMES.get(letter.toUpperCase()) ?? letter).join('')

/** A suffix in brackets: 管理人（本物）. */
const IN_BRACKETS = /[(（[［【〔〈《「『{｛].*$/su
/** Its content, after a name that is not reserved itself: 半蔵【運営】. */
const INSIDE_BRACKETS = /[(（[［【〔〈《「『{｛]([^)）\]］】〕〉》」』}｝]+)/gu
/** Characters that decorate a name to make it another: 【管理人】, 管理人☆, -admin-. In a folded name. */
const DECORATION = /[\p{P}\p{S}ー]+/gu

const bare = (name: string): string => foldName(name).replace(DECORATION, '')

function withoutBoast(name: string): string {
  const boast = BOASTS.find((one) => name.length > one.length && (name.endsWith(one) || name.startsWith(one)))
  if (boast === undefined) return name
  return name.endsWith(boast) ? name.slice(0, -boast.length) : name.slice(boast.length)
}

const reserved = new Set(RESERVED.map(bare))

/** Every post of a visitor brings its name, which is mostly one of the last. */
const judged = createLru<string, boolean>(5_000)

/**
 * True for a name that is refused as a nickname and as a member's name, in every spelling and
 * decoration.
 */
export function isReservedName(name: string): boolean {
  const known = judged.get(name)
  if (known !== undefined) return known
  const verdict = judgeName(name)
  judged.set(name, verdict)
  return verdict
}

function judgeName(name: string): boolean {
  const plain = undress(name)
  const inFront = plain.replace(IN_BRACKETS, '')
  const inside = Array.from(plain.matchAll(INSIDE_BRACKETS), ([, words = '']) => words)
  return [plain, ...(inFront.trim() === '' ? [] : [inFront]), ...inside]
    .map(bare)
    .some((one) => reserved.has(one) || reserved.has(withoutBoast(one)))
}
