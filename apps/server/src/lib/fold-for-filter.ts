/**
 * The copy of a text that the word filter looks at (CRAFT §4.2). It folds more than search does, because people who want to
 * get round a filter do more than type differently: 死 ね, 死・ね, ﾀﾋね, バ力, аss, sh1t. Every unit of the copy knows where it
 * came from, so that a match can be shown in the text as typed.
 *
 * Folding a folded text changes nothing. The rules below are chosen so: what one of them leaves standing, none takes up later.
 */
import { INVISIBLE, unifyKana, unifyLookAlikes, unifyWidthAndCase } from './fold.ts'

export interface FilterFold {
  readonly text: string
  /** For every UTF-16 unit of `text`, the index in the raw text where what it stands for begins. Never falls. */
  readonly offsets: readonly number[]
  /** For every UTF-16 unit of `text`, the index in the raw text just after what it stands for. Never falls. */
  readonly ends: readonly number[]
}

/** `soft` separators may stand inside a word for show (spaces, ・, ☆); `hard` ones end a sentence, a clause or a line. */
type Kind = 'han' | 'kana' | 'long' | 'other' | 'soft' | 'hard'

interface Token {
  char: string
  kind: Kind
  start: number
  end: number
  /** Was katakana before the kana became one: タヒ may stand for 死, たひ never does (痛い人 is いたいひと). */
  readonly katakana: boolean
}

type FoldedChar = Pick<Token, 'char' | 'kind' | 'katakana'>

const KANA = /^[\u3041-\u3096\u309d\u309e]$/
const HAN = /^\p{Script=Han}$/u
const LETTER = /^[\p{L}\p{N}]$/u
/** Vowel marks, waves and dashes, all of which are typed for ー. */
const LONG = /^[ー~\u301c\u3030\u223c\u223e\-\u2010-\u2015\u2212\u2500\u2501]$/
const HARD = /^[。｡、,.!?;:…\n\r\p{Ps}\p{Pe}\p{Pi}\p{Pf}]$/u

const SMALL_KANA = 'ぁぃぅぇぉっゃゅょゎゕゖ'
const LARGE_KANA = 'あいうえおつやゆよわかけ'

function kindOf(char: string): Kind {
  if (KANA.test(char)) return 'kana'
  if (LONG.test(char)) return 'long'
  if (HAN.test(char)) return 'han'
  if (LETTER.test(char)) return 'other'
  return HARD.test(char) ? 'hard' : 'soft'
}

/** Folds a character with the marks on it; one may become several (㈱) or none (a lone combining mark). */
function foldCluster(cluster: string): readonly FoldedChar[] {
  const chars: FoldedChar[] = []
  for (const wide of unifyWidthAndCase(cluster).replace(INVISIBLE, '')) {
    const folded = unifyLookAlikes(unifyKana(wide)).replace(/\p{M}/gu, '')
    for (const char of folded) {
      const small = SMALL_KANA.indexOf(char)
      const large = small < 0 ? char : LARGE_KANA.charAt(small)
      chars.push({ char: large, kind: kindOf(large), katakana: /[\u30a1-\u30fa]/.test(wide) })
    }
  }
  return chars
}

/** Most text is of characters seen before; only single units of the basic plane are kept, so this cannot outgrow 65,536 entries. */
const seen = new Map<string, readonly FoldedChar[]>()

function foldClusterOnce(cluster: string): readonly FoldedChar[] {
  if (cluster.length > 1) return foldCluster(cluster)
  let folded = seen.get(cluster)
  if (folded === undefined) {
    folded = foldCluster(cluster)
    seen.set(cluster, folded)
  }
  return folded
}

/** What NFKC joins to the character before: combining marks, half-width and spacing voicing marks, Hangul vowels and finals. */
const JOINS = /^[\p{M}\u309b\u309c\uff9e\uff9f\u1160-\u11ff\u314f-\u3163\uffc2-\uffdc]$/u
const isInvisible = (char: string): boolean => char.replace(INVISIBLE, '') === ''

function tokenize(raw: string): Token[] {
  const tokens: Token[] = []
  let cluster = ''
  let start = 0
  let end = 0
  const flush = () => {
    for (const folded of foldClusterOnce(cluster)) tokens.push({ ...folded, start, end })
  }
  let at = 0
  for (const char of raw) {
    const after = at + char.length
    const code = char.codePointAt(0) ?? 0
    // Kana, common kanji and printable ASCII neither join nor vanish: three quarters of all text skip two patterns.
    const plain =
      (code >= 0x20 && code < 0x7f) ||
      (code > 0x3040 && code < 0x3097) ||
      (code > 0x30a0 && code < 0x3100) ||
      (code >= 0x4e00 && code < 0xa000)
    if (plain || !isInvisible(char)) {
      if (!plain && cluster !== '' && JOINS.test(char)) {
        cluster += char
      } else {
        if (cluster !== '') flush()
        cluster = char
        start = at
      }
      end = after
    }
    at = after
  }
  if (cluster !== '') flush()
  return tokens
}

const isSeparator = (token: Token | undefined): boolean =>
  token === undefined || token.kind === 'soft' || token.kind === 'hard'

/** Two characters drawn to look like one, at least one of them katakana (the fold of たひ must stay たひ). */
const DRAWN: readonly { readonly first: string; readonly second: string; readonly char: string }[] = [
  { first: 'た', second: 'ひ', char: '死' },
  { first: 'ね', second: '申', char: '神' },
]

/** タヒ → 死, also spaced (タ ヒ), but not in タヒチ or アタヒ. */
function readDrawnKanji(tokens: readonly Token[]): Token[] {
  const read: Token[] = []
  for (let i = 0; i < tokens.length; i += 1) {
    const first = tokens[i]!
    const drawn = first.katakana ? DRAWN.find((pair) => pair.first === first.char) : undefined
    let j = i + 1
    if (drawn !== undefined) while (tokens[j]?.kind === 'soft') j += 1
    const second = tokens[j]
    if (
      drawn === undefined ||
      second?.char !== drawn.second ||
      (second.kind === 'kana' && !second.katakana) ||
      tokens[i - 1]?.katakana === true ||
      tokens[j + 1]?.katakana === true
    ) {
      read.push(first)
    } else {
      read.push({ char: drawn.char, kind: 'han', start: first.start, end: second.end, katakana: false })
      i = j
    }
  }
  return read
}

/** Kanji drawn like a katakana: バ力 (ちから) for バカ. */
const KANJI_LIKE_KANA = new Map(
  Object.entries({
    力: 'か',
    夕: 'た',
    工: 'え',
    卜: 'と',
    口: 'ろ',
    二: 'に',
    八: 'は',
    才: 'お',
    千: 'ち',
    三: 'み',
  }),
)

/** Reads such a kanji as kana after katakana or at the head of a katakana word, never beside another kanji (スーパー工場). */
function readLookAlikeKanji(tokens: Token[]): void {
  for (const [i, token] of tokens.entries()) {
    const kana = token.kind === 'han' ? KANJI_LIKE_KANA.get(token.char) : undefined
    if (kana === undefined) continue
    const before = tokens[i - 1]
    const after = tokens[i + 1]
    const endsWord = before?.katakana === true && after?.kind !== 'han'
    const beginsWord = isSeparator(before) && after?.katakana === true
    if (endsWord || beginsWord) tokens[i] = { ...token, char: kana, kind: 'kana' }
  }
}

/** ー lengthens the kana before it, once (ばーーか is ばーか); anywhere else (死ーね, e-mail) it is a separator. */
function resolveLongMarks(tokens: readonly Token[]): Token[] {
  const kept: Token[] = []
  for (const token of tokens) {
    const before = kept.at(-1)
    if (token.kind !== 'long') kept.push(token)
    else if (before?.kind === 'long') before.end = token.end
    else if (before?.kind === 'kana') kept.push({ ...token, char: 'ー' })
    else kept.push({ ...token, kind: 'soft' })
  }
  return kept
}

const LEET_SIGNS: Readonly<Record<string, string>> = { '@': 'a', $: 's' }
const LEET_DIGITS: Readonly<Record<string, string>> = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's', 7: 't' }
const isLatin = (char: string | undefined): boolean => char !== undefined && /^[a-z]$/.test(char)

/** p@ss, a$$hole: a sign between letters is one of them. Elsewhere (@name, $100) it stays a sign. */
function readLeetSigns(tokens: readonly Token[]): void {
  for (const [i, token] of tokens.entries()) {
    const letter = LEET_SIGNS[token.char]
    const after = tokens[i + 1]?.char
    if (letter !== undefined && isLatin(tokens[i - 1]?.char) && (isLatin(after) || after === token.char)) {
      token.char = letter
      token.kind = 'other'
    }
  }
}

/** sh1t: digits between letters are letters. At either end of a word (mp3, 5ch, 2ch) they are digits. */
function readLeetDigits(tokens: readonly Token[]): void {
  let i = 0
  while (i < tokens.length) {
    let j = i
    while (j < tokens.length && LEET_DIGITS[tokens[j]!.char] !== undefined) j += 1
    if (j > i && isLatin(tokens[i - 1]?.char) && isLatin(tokens[j]?.char)) {
      for (let k = i; k < j; k += 1) tokens[k]!.char = LEET_DIGITS[tokens[k]!.char]!
    }
    i = Math.max(j, i + 1)
  }
}

const isJapanese = (token: Token): boolean => token.kind === 'han' || token.kind === 'kana' || token.kind === 'long'

/** For every token, how many content characters stand together with it, until a separator for which `splits` holds. */
function countTogether(tokens: readonly Token[], splits: (token: Token) => boolean): Int32Array {
  const counts = new Int32Array(tokens.length)
  let begin = 0
  let count = 0
  for (let i = 0; i <= tokens.length; i += 1) {
    const token = tokens[i]
    if (token === undefined || splits(token)) {
      counts.fill(count, begin, i)
      begin = i + 1
      count = 0
    } else if (!isSeparator(token)) {
      count += 1
    }
  }
  return counts
}

/**
 * Drops the separators that only pull a word apart, and leaves one where words really end:
 * - Between Japanese characters spaces and signs go (死 ね, 死・ね). The end of a sentence or line goes if what stands on one side
 *   of it is a single character (死。ね), for else 必死。ねむい would become a threat.
 * - Where another script is involved, they go between single characters (f u c k, b.a.d).
 */
function resolveSeparators(tokens: readonly Token[]): Token[] {
  const inSentence = countTogether(tokens, (token) => token.kind === 'hard')
  const inRun = countTogether(tokens, isSeparator)
  const kept: Token[] = []
  let last = -1
  for (let i = 0; i < tokens.length; i += 1) {
    const token = tokens[i]!
    if (isSeparator(token)) continue
    const before = tokens[last]
    if (before !== undefined && last < i - 1) {
      const between = tokens.slice(last + 1, i)
      const japanese = isJapanese(before) && isJapanese(token)
      const hard = between.some((separator) => separator.kind === 'hard')
      const counts = japanese ? inSentence : inRun
      const alone = japanese ? counts[last] === 1 || counts[i] === 1 : counts[last] === 1 && counts[i] === 1
      if (!alone && (hard || !japanese)) {
        const { start } = between[0]!
        const { end } = between.at(-1)!
        kept.push({ char: japanese ? '。' : ' ', kind: japanese ? 'hard' : 'soft', start, end, katakana: false })
      }
    }
    kept.push(token)
    last = i
  }
  return kept
}

/** Folds a text for comparison with banned words; see the head of this file. */
export function foldForFilter(raw: string): FilterFold {
  let tokens = readDrawnKanji(tokenize(raw))
  readLookAlikeKanji(tokens)
  tokens = resolveLongMarks(tokens)
  readLeetSigns(tokens)
  tokens = resolveSeparators(tokens)
  readLeetDigits(tokens)

  let text = ''
  const offsets: number[] = []
  const ends: number[] = []
  for (const { char, start, end } of tokens) {
    text += char
    for (let unit = 0; unit < char.length; unit += 1) {
      offsets.push(start)
      ends.push(end)
    }
  }
  return { text, offsets, ends }
}
