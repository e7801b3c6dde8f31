/**
 * Folded copies of text, which the board's search, names and word filter compare, and by which the
 * newsroom compares articles. A folded copy is only ever compared: what visitors wrote is stored
 * and shown as typed, because NFKC would turn the full-width spaces of Shift_JIS art into ASCII
 * ones.
 */
/**
 * Characters that show nothing and only make equal texts differ: controls (except white space),
 * zero-width and bidi characters, tags, variation selectors, letters abused as blanks, and lone
 * surrogates, which no encoding can carry.
 */
export const INVISIBLE =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class -- these characters are what is looked for
  /[\p{Cf}\p{Cs}\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\uffa0\ufe00-\ufe0f\u{e0000}-\u{e0fff}]/gu

/**
 * Spacing voicing marks. They are made combining before NFKC, so that か゛ becomes が rather than か, a
 * space and a loose mark.
 */
const SPACING_MARKS = /[\u309b\u309c]/g
/** Voicing marks that follow no kana they could join (あ゛). */
const LOOSE_MARKS = /[\u3099\u309a]/g
/** Katakana whose hiragana is 0x60 below; ヴ has ゔ, ヵ and ヶ have ゕ and ゖ, ヽ has ゝ. */
const KATAKANA = /[\u30a1-\u30f6\u30fd\u30fe]/g
/** ヷ ヸ ヹ ヺ have no voiced hiragana. */
const RARE_KATAKANA = /[\u30f7-\u30fa]/g
const RARE_HIRAGANA = 'わゐゑを'

const kataToHira = (text: string): string =>
  text
    .replace(KATAKANA, (kana) => String.fromCharCode(kana.charCodeAt(0) - 0x60))
    .replace(RARE_KATAKANA, (kana) => RARE_HIRAGANA.charAt(kana.charCodeAt(0) - 0x30f7))

/**
 * The steps that all folds share. Texts that still differ afterwards differ in meaning, not in
 * encoding.
 */
export const unifyWidthAndCase = (visible: string): string =>
  visible
    .replace(SPACING_MARKS, (mark) => (mark === '\u309b' ? '\u3099' : '\u309a'))
    .normalize('NFKC')
    .toLowerCase()
    // A capital sigma becomes ς at the end of a word and σ elsewhere; a fold must not depend on the
    // surrounding text.
    .replaceAll('ς', 'σ')
    // Lower-casing can decompose a character (İ), and NFKC can produce a capital (㎆).
    .normalize('NFKC')

export const unifyKana = (text: string): string => kataToHira(text.replace(LOOSE_MARKS, ''))

/**
 * Systems type 〜 (301C) or ～ (FF5E) for the same key; NFKC turns only the second one into a tilde.
 */
const WAVES = /[\u301c\u3030\u223c\u223e]/g
/** Hyphens and dashes that look the same; ー is a letter and stays. */
const DASHES = /[\u2010-\u2015\u2212]/g

/** `foldForSearch` for a part of a text. Spaces at its ends count: ´ is a space and a mark. */
export function foldSpaced(text: string): string {
  const folded = unifyKana(unifyWidthAndCase(text.replace(INVISIBLE, '')))
  return folded.replace(WAVES, '~').replace(DASHES, '-').replace(/\s+/g, ' ')
}

/**
 * The copy in the search index and of search words. Width, case, kana, invisible characters and the
 * kind and number of spaces make no difference. Small kana and ー do: びょういん is not びよういん.
 */
export const foldForSearch = (text: string): string => foldSpaced(text).trim()

/**
 * Letters of other scripts that look like a Latin one, so that аdmin (Cyrillic а) does not pass for
 * admin. Lower case only.
 */
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
/** Letters outside the scripts of this board, which may be in the table above. */
const FOREIGN_LETTER = /[\u00c0-\u058f]/g

/** Removes the accents of letters other than kana (é, й); plain NFD would split が too. */
const withoutAccents = (text: string): string =>
  text.replace(/[\u00c0-\u058f\u1e00-\u1fff]/g, (letter) => letter.normalize('NFD').replace(/\p{M}+/gu, ''))

export const unifyLookAlikes = (text: string): string =>
  withoutAccents(text).replace(FOREIGN_LETTER, (letter) => LOOK_ALIKES.get(letter) ?? letter)

/**
 * Letters in boxes and discs, white on dark, which NFKC does not change: each row is an alphabet.
 * Flags are made of such letters, too.
 */
const BOXED_LETTERS = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}\u{1f1e6}-\u{1f1ff}]/gu
const BOXED_ALPHABETS = [0x1f150, 0x1f170, 0x1f1e6]

export const unbox = (text: string): string =>
  text.replace(BOXED_LETTERS, (letter) => {
    const code = letter.codePointAt(0)!
    const start = BOXED_ALPHABETS.findLast((first) => first <= code)!
    return String.fromCharCode(0x61 + code - start)
  })
