/** Folded copies of names, by which two names are compared. */
import { INVISIBLE, unbox, unifyKana, unifyLookAlikes, unifyWidthAndCase } from '@shinobi/text/fold'
import { createLru } from './lru.ts'

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
