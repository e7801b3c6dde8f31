/**
 * Finds names in a claim that its evidence does not have: people, places, organisations, products.
 * What is a name is told by the analyser (words.ts).
 */
import type { Told } from './evidence.ts'
import { ROLES, SPELLINGS, TITLES } from './names.lists.ts'
import type { Word } from './words.ts'

/** A run of words that are one name: 川島洋子, 鎌倉市. */
export interface Name {
  readonly text: string
  readonly kind: '人名' | '地域' | '組織' | '一般'
  readonly start: number
  readonly end: number
}

const KATAKANA = /^[ァ-ヺー]+$/u
const LATIN = /[a-z][a-z0-9]*(?:[.&'+-][a-z0-9]+)*/gu
const LATIN_UNITS = /^(?:km|kg|cm|mm|m|g|t|l|ml|w|kw|mw|gw|kwh|hz|pa|hpa|kb|mb|gb|tb|am|pm)$/u
const COMPASS =
  /[東西南北]{1,2}部(?!屋|品|長|員|隊|会|局)|(?<!全)中部(?=地方|の|で)|沿岸|山間|内陸|郊外|市街地|都市部|農村部/gu
/** Their years are numbers (numbers.ts). */
const ERA = /^(?:明治|大正|昭和|平成|令和)$/u
/** Shorter katakana words are no names. */
const KATAKANA_MIN = 3

/** Unifies コンピューター and コンピュータ, ヴァ and バ. */
const foldKatakana = (text: string): string =>
  text
    .replace(/ヴ([ァィェォ])/gu, (_, small: string) => 'バビベボ'['ァィェォ'.indexOf(small)]!)
    .replaceAll('ヴ', 'ブ')
    .replace(/ー(?![ァ-ヺー])/gu, '')

/** Organisations of common words, which the dictionary does not have as names: 文部科学省. */
const ORGANISATION =
  /[\p{Script=Han}ァ-ヺー]{2,}(?:省|庁|党|大学|高校|銀行|協会|連盟|機構|委員会|裁判所|地裁|高裁|地検|[県府道]警|署)(?![\p{Script=Han}ァ-ヺー])/gu
/** Companies and people in katakana, even of words that the dictionary has: ブックリンクス社. */
const CALLED = /[ァ-ヺー]{3,}(?=社|氏|さん|容疑者|被告|選手|監督)/gu

/** The names of a text, words of one kind in a row together. */
export function readNames(words: readonly Word[]): Name[] {
  const names: Name[] = []
  for (const word of words) {
    const kind = kindOf(word)
    const last = names.at(-1)
    if (kind === null) continue
    const goesOn = last !== undefined && last.end === word.start && last.kind === kind
    if (goesOn) names[names.length - 1] = { ...last, text: last.text + word.text, end: word.end }
    else names.push({ text: word.text, kind, start: word.start, end: word.end })
  }
  return names.filter(({ text }) => text.length > 1)
}

function kindOf({ text, kind, subkind, name, known }: Word): Name['kind'] | null {
  if (!known) return KATAKANA.test(text) && text.length >= KATAKANA_MIN ? '一般' : null
  if (kind !== '名詞' || subkind !== '固有名詞' || ERA.test(text)) return null
  return name === '人名' || name === '地域' || name === '組織' ? name : '一般'
}

const TITLED = new RegExp(TITLES.join('|'), 'gu')
const BEFORE_TITLES: ReadonlySet<string> = new Set([...ROLES, ...SPELLINGS.keys()])

/** The people of a text: names of the dictionary, and what stands before a title: オルド外相, ナダル元首相. */
export function readPeople({ text, words }: Told): Name[] {
  const titled = [...text.matchAll(TITLED)].flatMap(({ index }) => {
    let last = words.findIndex(({ end }) => end === index)
    while (last >= 0 && isBeforeTitle(words[last]!)) last -= 1
    let first = last + 1
    while (first > 0 && mayBePerson(words[first - 1]!)) first -= 1
    if (first > last) return []
    const [{ start }, { end }] = [words[first]!, words[last]!]
    return [{ text: text.slice(start, end), kind: '人名', start, end } as const]
  })
  const named = readNames(words).filter(({ kind }) => kind === '人名')
  return [...named, ...titled].toSorted((one, other) => one.end - other.end)
}

const isBeforeTitle = ({ kind, text }: Word): boolean => kind === '接頭詞' || BEFORE_TITLES.has(text)

/** Whether a word before a title is part of a name: a single character may be, 凪 of 凪原知事. */
const mayBePerson = (word: Word): boolean =>
  !isBeforeTitle(word) &&
  /^[\p{Script=Han}々ァ-ヺー・]+$/u.test(word.text) &&
  (!word.known ||
    word.subkind === '固有名詞' ||
    KATAKANA.test(word.text) ||
    (word.kind === '名詞' && word.text.length === 1))

/** The names of a claim that its evidence has in none of their spellings, each once. */
export function findUnknownNames(claim: Told, evidence: string): string[] {
  const text = foldKatakana(evidence)
  const isThere = (name: string): boolean =>
    text.includes(foldKatakana(name)) ||
    (SPELLINGS.get(name) ?? []).some((spelling) => text.includes(foldKatakana(spelling)))
  const named = readNames(claim.words).map((name) => name.text)
  const others = [COMPASS, CALLED].flatMap((pattern) => claim.text.match(pattern) ?? [])
  const unknown = [...named, ...others].filter((name) => !isThere(name) && !isPutTogether(name, isThere))
  // 県教育委員会 may be the 教育委員会 of the article.
  const bodies = (claim.text.match(ORGANISATION) ?? []).filter(
    (name) => !isThere(name) && !isThere(name.slice(0, 2)) && !isThere(name.slice(2)),
  )
  return [...new Set([...unknown, ...bodies, ...findLatin(claim.text, evidence)])].filter(
    (name, _, all) => !all.some((other) => other !== name && other.includes(name)),
  )
}

/**
 * The same for an article in another language, with which only countries, organisations with known
 * spellings, and words in Latin letters can be compared.
 */
export function findUnknownForeignNames(claim: Told, evidence: string): string[] {
  const named = readNames(claim.words).flatMap(({ text }) => {
    const spellings = SPELLINGS.get(text) ?? []
    return spellings.length === 0 || spellings.some((spelling) => evidence.includes(spelling)) ? [] : [text]
  })
  return [...new Set([...named, ...findLatin(claim.text, evidence)])]
}

/** Whether a katakana word consists of parts that are there. */
const isPutTogether = (name: string, isThere: (part: string) => boolean): boolean =>
  KATAKANA.test(name) && name.length <= 40 && isCompound(name, KATAKANA_MIN, isThere)

/** Whether a name consists of two parts of a minimum length that are there. */
export const isCompound = (name: string, partMin: number, isThere: (part: string) => boolean): boolean =>
  Array.from(name).some((_, at) => {
    const parts = [name.slice(0, at), name.slice(at)]
    return parts.every((part) => part.length >= partMin && isThere(part))
  })

function findLatin(claim: string, evidence: string): string[] {
  const there = new Set((evidence.match(LATIN) ?? []).flatMap((word) => [word, ...word.split(/[.&'+-]/u)]))
  return [...claim.matchAll(LATIN)].flatMap(({ 0: written, index }) => {
    // The 5.8 of m5.8 is a number.
    const word = written.replace(/(?<=^[a-z])\d+\.\d+$/u, '')
    if (/\d/u.test(claim[index - 1] ?? '') && LATIN_UNITS.test(word)) return []
    const isThere = there.has(word) || word.split(/[.&'+-]/u).every((part) => there.has(part))
    return isThere || (SPELLINGS.get(word) ?? []).some((spelling) => evidence.includes(spelling)) ? [] : [word]
  })
}
