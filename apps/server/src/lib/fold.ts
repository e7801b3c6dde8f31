/** Folded copies of names, by which two names are compared. */
import { INVISIBLE, unifyKana, unifyLookAlikes, unifyWidthAndCase } from '@shinobi/text/fold'
import { createLru } from './lru.ts'

/**
 * Letters in boxes and discs, white on dark, which NFKC does not change: each row is an alphabet.
 * Flags are made of such letters, too.
 */
const BOXED_LETTERS = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu
const BOXED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6]

const unbox = (text: string): string =>
  text.replace(BOXED_LETTERS, (letter) => {
    const code = letter.codePointAt(0)!
    const start = BOXED_ALPHABETS.findLast((first) => first <= code)!
    return String.fromCharCode(0x61 + code - start)
  })

/**
 * Characters that look the same, or similar enough to confuse names, with the one they fold to. For
 * folded text.
 */
const TWINS = new Map(
  [
    // Kanji and strokes that resemble katakana, which are folded to hiragana at this point.
    ...['か力', 'に二', 'は八', 'ろ口囗', 'え工', 'た夕', 'と卜', 'ち千', 'お才', 'の丿', 'ー一-‐‑‒–—―−─━'],
    ...['士土', '未末', '日曰', '己已巳', '管菅', '人入', '高髙', '崎﨑', '営營', '~〜〰∼∾', '・·‧•∙⋅'],
    ...['o0', 'i1l|'],
    ...[...'aᴀ bʙ cᴄ dᴅ eᴇ fꜰ gɢ hʜ iɪ jᴊ kᴋ iʟ mᴍ nɴ oᴏ pᴘ qꞯ rʀ sꜱ tᴛ uᴜ vᴠ wᴡ yʏ zᴢ'.split(' ')],
  ].flatMap(([counted = '', ...others]) => others.map((other) => [other, counted])),
)

/** Expects folded text without spaces. */
const unifyTwins = (text: string): string =>
  Array.from(text, (letter) => TWINS.get(letter) ?? letter)
    .join('')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')

/**
 * The form in which names are unique: two names that a reader would confuse fold to the same text,
 * so width, case, kana, spaces, invisible characters, accents and look-alikes (カ and 力, l and 1)
 * make no difference. Never empty for a non-empty name.
 * Folded names are stored: a change here needs a migration that folds them again.
 */
export function foldName(text: string): string {
  if (text.length > KEPT_LENGTH) return foldNewName(text)
  const known = foldedNames.get(text)
  if (known !== undefined) return known
  const folded = foldNewName(text)
  foldedNames.set(text, folded)
  return folded
}

/** Longer inputs are no names, so they are not cached. */
const KEPT_LENGTH = 64
/** Writers keep their name for a while, and each post folds it three times. */
const foldedNames = createLru<string, string>(4_096)

function foldNewName(text: string): string {
  const visible = unbox(text.replace(INVISIBLE, ''))
  const folded = unifyTwins(unifyLookAlikes(unifyKana(unifyWidthAndCase(visible))).replace(/[\s\p{M}]+/gu, ''))
  return folded === '' ? text : folded
}
