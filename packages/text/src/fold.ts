/**
 * Folded copies of text: what the board's search, its names and its word filter compare, and what the newsroom compares articles by.
 * A folded copy is only ever compared: what visitors wrote is stored and shown as typed, because NFKC would turn
 * the full-width spaces of Shift_JIS art into ASCII ones.
 */
/**
 * What takes no ink and only serves to make equal texts differ: controls (but for white space), zero-width and bidi characters,
 * tags, variation selectors, the letters abused as blanks, and lone surrogates, which no encoding can carry.
 */
export const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are what is looked for
  /[\p{Cf}\p{Cs}\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0000}-\u{e0fff}]/gu

/** Spacing voicing marks: made combining before NFKC, so that か゛ becomes が rather than か, a space and a loose mark. */
const SPACING_MARKS = /[\u309b\u309c]/g
/** Voicing marks that found no kana to join (あ゛). */
const LOOSE_MARKS = /[\u3099\u309a]/g
/** Katakana with a hiragana 0x60 below it; ヴ has ゔ, ヵ and ヶ have ゕ and ゖ, ヽ has ゝ. */
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g
/** ヷ ヸ ヹ ヺ have no voiced hiragana. */
const RARE_KATAKANA = /[\u30f7-\u30fa]/g
const RARE_HIRAGANA = 'わゐゑを'

const kataToHira = (text: string): string =>
  text
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(RARE_KATAKANA, (kana) => RARE_HIRAGANA.charAt(kana.charCodeAt(0) - 0x30f7))

/** The part that all folds share, up to the case: what is left differs in meaning, not in encoding. */
export const unifyWidthAndCase = (visible: string): string =>
  visible
    .replace(SPACING_MARKS, (mark) => (mark === '\u309b' ? '\u3099' : '\u309a'))
    .normalize('NFKC')
    .toLowerCase()
    // A capital sigma becomes ς at the end of a word and σ elsewhere; a fold must not depend on what stands around.
    .replaceAll('ς', 'σ')
    // Lower case can come apart again (İ), and what NFKC made can be a capital (㎆).
    .normalize('NFKC')

export const unifyKana = (text: string): string => kataToHira(text.replace(LOOSE_MARKS, ''))

/** 〜 (301C) and ～ (FF5E) are typed by different systems for the same key; NFKC makes only the second one a tilde. */
const WAVES = /[\u301c\u3030\u223c\u223e]/g
/** Hyphens and dashes that look the same; ー is a letter and stays. */
const DASHES = /[\u2010-\u2015\u2212]/g

/**
 * The copy that the search index holds and that search words are turned into: width, case, kana and invisible characters
 * make no difference, nor does the kind and number of spaces. Small kana and ー do make one: びょういん is not びよういん.
 */
export function foldForSearch(text: string): string {
  const folded = unifyKana(unifyWidthAndCase(text.replace(INVISIBLE, '')))
  return folded.replace(WAVES, '~').replace(DASHES, '-').replace(/\s+/g, ' ').trim()
}

/** Letters of other scripts that are drawn like a Latin one: what makes аdmin (Cyrillic а) pass for admin. Lower case only. */
const LOOK_ALIKES = new Map(
  Object.entries({
    ...{
      а: 'a',
      в: 'b',
      с: 'c',
      ԁ: 'd',
      е: 'e',
      ё: 'e',
      һ: 'h',
      н: 'h',
      і: 'i',
      ї: 'i',
      ј: 'j',
      к: 'k',
      ӏ: 'l',
      м: 'm',
    },
    ...{ п: 'n', о: 'o', р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', ц: 'u', ѵ: 'v', ԝ: 'w', х: 'x', у: 'y', ү: 'y' },
    ...{
      α: 'a',
      β: 'b',
      ε: 'e',
      γ: 'y',
      η: 'n',
      ι: 'i',
      κ: 'k',
      ν: 'v',
      ο: 'o',
      ρ: 'p',
      σ: 'o',
      τ: 't',
      υ: 'u',
      χ: 'x',
      ω: 'w',
    },
    ...{ ı: 'i', ɑ: 'a', ɡ: 'g', ɩ: 'i', ʀ: 'r', ø: 'o', đ: 'd', ł: 'l', ħ: 'h', ß: 'ss', æ: 'ae', œ: 'oe' },
  }),
)
/** Everything outside the scripts of this board that may stand in the table above. */
const FOREIGN_LETTER = /[\u00c0-\u058f]/g

/** Takes the accents off letters other than kana (é, й), where NFD would pull が apart. */
const withoutAccents = (text: string): string =>
  text.replace(/[\u00c0-\u058f\u1e00-\u1fff]/g, (letter) => letter.normalize('NFD').replace(/\p{M}+/gu, ''))

export const unifyLookAlikes = (text: string): string =>
  withoutAccents(text).replace(FOREIGN_LETTER, (letter) => LOOK_ALIKES.get(letter) ?? letter)
