/**
 * Finds names in a summary that its article does not contain: people, places, organisations,
 * products.
 */
import { FREE_KATAKANA, NAME_ENDS, PLAIN_PARTS, ROLES, SPELLINGS, SURNAMES, TITLES } from './names.lists.ts'
import { readSounds, soundsLike, type Sounds } from './names-sound.ts'

/**
 * An article (title and text, folded by `foldFacts` of checker-text.ts), prepared for the lookup of
 * names.
 */
export interface NamedText {
  readonly text: string
  /** Whether it is in another language than Japanese, so that its names are in Latin letters. */
  readonly foreign: boolean
  readonly latin: ReadonlySet<string>
  readonly katakana: ReadonlySet<string>
  /** The sounds of the Latin words of a foreign article. */
  readonly sounds: Sounds
}

const KATAKANA = /[ァ-ヺー]+/g
const LATIN = /[a-z][a-z0-9]*(?:[.&'+-][a-z0-9]+)*/g
const HAN = String.raw`[\p{Script=Han}々]`
const LATIN_UNITS = /^(?:km|kg|cm|mm|m|g|t|l|ml|w|kw|mw|gw|kwh|hz|pa|hpa|kb|mb|gb|tb|am|pm)$/

/** Unifies コンピューター and コンピュータ, ヴァ and バ. */
const foldKatakana = (text: string): string =>
  text
    .replace(/ヴ([ァィェォ])/g, (_, small: string) => 'バビベボ'['ァィェォ'.indexOf(small)]!)
    .replaceAll('ヴ', 'ブ')
    .replace(/ー(?![ァ-ヺー])/g, '')

export function readNames(folded: string, foreign: boolean): NamedText {
  const text = foldKatakana(folded)
  const tokens = [...text.matchAll(LATIN)].map(([token]) => token)
  const latin = new Set(tokens.flatMap((token) => [token, ...token.split(/[.&'+-]/)]))
  return {
    text,
    foreign,
    latin,
    katakana: new Set(text.match(KATAKANA) ?? []),
    sounds: readSounds(foreign ? latin : []),
  }
}

/**
 * The names of a text (folded by `foldFacts`) that the article has in none of their spellings; in
 * the order of the text, each once.
 */
export function findUnknownNames(text: string, article: NamedText): string[] {
  const found = [
    ...findKnownNames(text, article),
    ...findKatakana(text, article),
    ...findLatin(text, article),
    ...findPeople(text, article),
    ...findPlaces(text, article),
  ]
  const sorted = found.toSorted((a, b) => a.at - b.at || b.name.length - a.name.length)
  const unknown: string[] = []
  // Of 山田太郎 and 山田, only the longer one is reported.
  for (const { name } of sorted) if (!unknown.some((other) => other.includes(name))) unknown.push(name)
  return unknown
}

interface Found {
  readonly name: string
  readonly at: number
}

const byLength = (names: Iterable<string>): string[] => [...names].toSorted((a, b) => b.length - a.length)
const escape = (name: string): string => name.replace(/[.&+]/g, String.raw`\$&`)
const KNOWN = new RegExp(
  byLength(SPELLINGS.keys())
    .map((name) => {
      if (/^[a-z]/.test(name)) return `(?<![a-z0-9])${escape(name)}(?![a-z0-9])`
      return /^[ァ-ヺー]+$/.test(name) ? `(?<![ァ-ヺー])${name}(?![ァ-ヺー])` : name
    })
    .join('|'),
  'g',
)

function findKnownNames(text: string, article: NamedText): Found[] {
  return [...text.matchAll(KNOWN)].flatMap((match) =>
    hasSpelling(match[0], article) ? [] : [{ name: match[0], at: match.index }],
  )
}

/** Whether a Japanese name stands in the article. */
const isIn = (name: string, article: NamedText): boolean => article.text.includes(foldKatakana(name))

const hasSpelling = (name: string, article: NamedText): boolean =>
  (SPELLINGS.get(name) ?? []).some((spelling) =>
    /^[a-z]/.test(spelling) ? standsAsWord(spelling, article.text) : isIn(spelling, article),
  )

/**
 * Whether a Latin spelling stands at the beginning of a word: canad matches Canada and Canadian.
 * Short spellings must be whole words.
 */
function standsAsWord(word: string, text: string): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const ends = word.length > 3 || !/[a-z]/.test(text[at + word.length] ?? '')
    if (ends && !/[a-z]/.test(text[at - 1] ?? '')) return true
  }
  return false
}

const FREE_FOLDED: ReadonlySet<string> = new Set([...FREE_KATAKANA].map(foldKatakana))
/** Longest katakana word that is examined; real words are shorter. */
const WORD_MAX = 60

function findKatakana(text: string, article: NamedText): Found[] {
  return [...text.matchAll(KATAKANA)].flatMap((match) => {
    const [name] = match
    if (name.length < 3) return []
    return isPutTogether(name, (part) => isKatakanaPart(part, article)) ? [] : [{ name, at: match.index }]
  })
}

const isKatakanaPart = (part: string, article: NamedText): boolean =>
  FREE_FOLDED.has(foldKatakana(part)) ||
  (part.length >= 3 && isIn(part, article)) ||
  article.katakana.has(foldKatakana(part)) ||
  hasSpelling(part, article) ||
  (article.foreign && part.length >= 3 && soundsLike(part, article.sounds))

/** Whether a word can be split into parts that all stand in the article. */
function isPutTogether(word: string, stands: (part: string) => boolean): boolean {
  if (word.length > WORD_MAX) return false
  if (stands(word)) return true
  const reached = [true]
  for (let end = 1; end <= word.length; end += 1) {
    reached[end] = false
    for (let start = 0; start < end && !reached[end]; start += 1) {
      if (reached[start] === true && stands(word.slice(start, end))) reached[end] = true
    }
  }
  return reached[word.length] === true
}

function findLatin(text: string, article: NamedText): Found[] {
  return [...text.matchAll(LATIN)].flatMap((match) => {
    const [name] = match
    const afterDigit = /\d/.test(text[match.index - 1] ?? '')
    if (afterDigit && LATIN_UNITS.test(name)) return []
    if (article.latin.has(name) || SPELLINGS.has(name)) return []
    if (name.split(/[.&'+-]/).every((part) => article.latin.has(part))) return []
    return [{ name, at: match.index }]
  })
}

/** A title ends its word, except in 田中氏側 and the like. */
const TITLED = new RegExp(`(?<stem>${HAN}{1,14}?)(?:${TITLES.join('|')})(?:(?=[側派陣案])|(?!${HAN}|[ァ-ヺ]))`, 'gu')
const SURNAME = new RegExp(`(?<!${HAN})(?:${byLength(SURNAMES).join('|')})(?!洋|市|県|区|町|村|駅|川|山|島)`, 'gu')

function findPeople(text: string, article: NamedText): Found[] {
  const titled = [...text.matchAll(TITLED)].flatMap((match) => {
    return isKnownPerson(match.groups!['stem']!, article) ? [] : [{ name: match[0], at: match.index }]
  })
  const surnames = [...text.matchAll(SURNAME)].flatMap((match) =>
    isIn(match[0], article) ? [] : [{ name: match[0], at: match.index }],
  )
  return [...titled, ...surnames]
}

const ROLES_BY_LENGTH = byLength(ROLES)
/** A longer stem is more than one name: 農林水産省田中. */
const LONG_STEM = 5

/** Whether the article contains the word before a title, or that word is no name (元, 女性). */
function isKnownPerson(stem: string, article: NamedText): boolean {
  if (ROLES.includes(stem) || isIn(stem, article)) return true
  for (const role of ROLES_BY_LENGTH) {
    const rest = stem.startsWith(role)
      ? stem.slice(role.length)
      : stem.endsWith(role)
        ? stem.slice(0, -role.length)
        : ''
    // 新井 must not be split into 新 and 井.
    if (rest.length >= 2 && isKnownPerson(rest, article)) return true
  }
  return stem.length >= LONG_STEM && isPutTogether(stem, (part) => part.length >= 2 && isIn(part, article))
}

const PLACE = new RegExp(`(?:${HAN}|[ァ-ヺー])+`, 'gu')
const NAME_END = new RegExp(`(?:${NAME_ENDS.join('|')})$`)

/** Runs of kanji and katakana with the ending of a place or an organisation. */
function findPlaces(text: string, article: NamedText): Found[] {
  return [...text.matchAll(PLACE)].flatMap((match) => {
    const [name] = match
    if (name.length < 2 || !NAME_END.test(name)) return []
    const stands = (part: string) =>
      PLAIN_PARTS.has(part) ||
      hasSpelling(part, article) ||
      (part.length >= 2 && isIn(part, article)) ||
      (/^[ァ-ヺー]+$/.test(part) && isKatakanaPart(part, article))
    return isPutTogether(name, stands) ? [] : [{ name, at: match.index }]
  })
}
