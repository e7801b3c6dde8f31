/**
 * Finds claims that make more of a matter than their article: a plan that was carried out, a fear
 * or suspicion that became a fact, a denial that became its opposite.
 */
import { isMeasured } from './directions.ts'
import type { Claim, Evidence, Told } from './evidence.ts'
import { isSame, readNumbers } from './numbers.ts'
import { isHedged, readPredicates, TELLING, type Predicate } from './predicates.ts'

/** The predicates that are surer in the claim than at its quote: 提訴した for 提訴も排除しない. */
export function findHardened(claim: Claim, evidence: Evidence): string[] {
  const { quoted, near } = evidence
  const said = readPredicates(claim.text, claim.words).filter(
    (one) => !isHedged(one.rest) && one.mood !== 'asked' && isStated(one),
  )
  const borne = readPredicates(near.text, near.words, keysOf(said))
  const own = readPredicates(quoted.text, quoted.words, keysOf(said))
  const hardened = said.filter((one) => {
    if (isMeasured(claim, one.start, evidence)) return false
    const bears = (other: Predicate): boolean => !isDoubtful(other) && !(one.isPast && isDue(other, quoted))
    if (borne.some((other) => isOfSame(one, other) && bears(other))) return false
    // A neighbour of the quote that has the same verb may tell of something else.
    const same = [...own.filter((other) => isOfSame(one, other)), ...borne.filter((other) => isOfSameNoun(one, other))]
    return same.some((other) => other.mood === 'possible' || other.mood === 'asked' || one.isPast)
  })
  const certain = [...findCertain(claim, quoted), ...findDone(claim, evidence)]
  if (hardened.length + certain.length > 0) return [...certain, ...hardened.map(({ key }) => key)]
  const plans = readPredicates(quoted.text, quoted.words)
  const [last] = said.filter(({ key }) => !TELLING.has(key)).slice(-1)
  const isPlan =
    plans.some(({ mood }) => mood === 'planned') || AIMED.test(quoted.text) || isToCome(claim, quoted, plans)
  return isPlan && !plans.some(({ isPast }) => isPast) && last !== undefined && last.isPast && last === said.at(-1)
    ? [last.key]
    : []
}

/** Not the noun of 控訴について; the cause 混入で is stated. */
const isStated = ({ isNoun, rest }: Predicate): boolean =>
  !isNoun || /^(?:[しすさ、。]|で(?!は)|によ|のため|$)/u.test(rest)

/** 引き渡しを目指す. */
const AIMED = /(?:目指|めざ)(?:す|して?いる)。?$/u

/** The noun that ends a claim, where the quote has it only as supposed: 原因だ for 原因とみられる. */
function findCertain({ text }: Claim, quoted: Told): string[] {
  const noun = /([\p{Script=Han}ァ-ヺー]{2,})(?:だ|だった|である|です)。?$/u.exec(text)?.[1]
  const places = noun === undefined ? [] : [...quoted.text.matchAll(new RegExp(RegExp.escape(noun), 'gu'))]
  const isSupposed = ({ 0: word, index }: RegExpExecArray): boolean =>
    /^(?:だ|である)?(?:とみ|と(?:推定|推測|疑)|の(?:可能性|疑い|恐れ|おそれ)|との見方)/u.test(
      quoted.text.slice(index + word.length),
    )
  return places.length > 0 && places.every(isSupposed) && !isHedged(text) ? [noun!] : []
}

/** 導入している, 販売中, 回収済み. */
const DONE = /て(?:い|お)[るり]|中[だでの。]|済/u

/** What is said to be done or decided, where the quote has a plan or an opinion: すでに行った, 決めた. */
function findDone({ text }: Claim, { quoted, near }: Evidence): string[] {
  const done = /すでに|既に/u.exec(text)?.[0]
  const decided = /決めた|決めて|決定し|決まった|決まって/u.exec(text)?.[0]
  const isDone = readPredicates(quoted.text, quoted.words).some(({ isPast, key }) => isPast && !TELLING.has(key))
  const isOpen = /検討|考え|公算|可能性|見通し/u.test(quoted.text) && !/決め|決定|決まった/u.test(quoted.text)
  return [
    ...(done === undefined || isDone || DONE.test(quoted.text) || /すでに|既に|もう/u.test(near.text) ? [] : [done]),
    ...(decided !== undefined && isOpen && !isHedged(text) ? [decided] : []),
  ]
}

/** What a quote with a day ends with: 市は28日に講習会を開く. */
const isDue = ({ rest, isNoun }: Predicate, { text }: Told): boolean =>
  // A noun alone tells of what is over: 28日に病院で死去。
  (isNoun ? /^(?:する|される|させる)(?:[。\n]|$)/u : /^(?:[ら]?れる)?(?:[。\n]|$)/u).test(rest) &&
  /[\d一二三四五六七八九十][日月年]|来[年月週春夏秋冬]/u.test(text)

/** Whether a sentence with a day of the claim tells of a coming day: 21日に対戦する. */
function isToCome(claim: Claim, { text }: Told, predicates: readonly Predicate[]): boolean {
  const days = readNumbers(text).filter(({ unit }) => unit === '日' || unit === '月')
  const isShared = readNumbers(claim.text).some((number) => days.some((day) => isSame(day, number)))
  const last = predicates.at(-1)
  return (
    isShared &&
    last !== undefined &&
    !TELLING.has(last.key) &&
    !text.includes('以降') &&
    /(?<!て(?:い|お))[うくぐすつぶむる]。?$/u.test(text)
  )
}

/** The predicates that only one of claim and quote negates, and what the quote denies. */
export function findReversed(claim: Claim, evidence: Evidence): string[] {
  return [...findNegated(claim, evidence), ...findDenied(claim, evidence)]
}

/** 津波の心配はない, けが人なし. */
const DENIED =
  /([\p{Script=Han}ァ-ヺー]{2,6})(?:の(?:心配|恐れ|おそれ|被害|報告|情報|兆候|危険)|人|者)?[はも]?(?:今のところ|まだ|一切|いずれも)?(?:な(?:い|く|かった|し)|(?:出|確認され|報告され)てい?な|いな(?:い|かっ)|ありません)/gu
/** 津波を観測, 津波が発生. */
const HAPPENED = '(?:[がを])?(?:発生|観測|確認|報告|出[たてる]|起き|起こ|受け|見つか|生じ|広が|引き起)'

/** The matters that a claim tells of, and the quote only denies. */
function findDenied({ text }: Claim, { quoted, near }: Evidence): string[] {
  if (LITTLE.test(text) || /な[いくか]|ません|[かせ]ず|ゼロ/u.test(text) || isHedged(text)) return []
  return [...quoted.text.matchAll(DENIED)].flatMap(([, matter = '']) => {
    const others = near.text.replaceAll(DENIED, '、')
    return new RegExp(`${matter}${HAPPENED}`, 'u').test(text) && !others.includes(matter) ? [matter] : []
  })
}

function findNegated(claim: Claim, { quoted }: Evidence): string[] {
  const said = readPredicates(claim.text, claim.words)
  const borne = readPredicates(quoted.text, quoted.words, keysOf(said))
  return said
    .filter((one) => {
      const same = borne.filter((other) => isOfSame(one, other) && other.mood !== 'wished')
      if (same.length === 0 || one.mood === 'asked' || one.mood === 'wished') return false
      if (one.isNegated) return same.every((other) => !other.isNegated) && !hasNegation(borne, same)
      return same.every(({ isNegated }) => isNegated) && !said.some(({ isNegated }) => isNegated)
    })
    .map(({ key }) => key)
}

/** Words that come close to a negation: 影響は軽微. */
const LITTLE =
  /軽微|小さ|少な|限定|低[いく]|わずか|困難|難し|なし|無し|未|不|非|無|否|見送|中止|断念|拒|やめ|止め|控え|避け/u

/** Whether the quote negates in other words what the claim negates; 提訴も排除しない does not. */
const hasNegation = (borne: readonly Predicate[], same: readonly Predicate[]): boolean =>
  same.some(
    ({ clause, mood }) =>
      LITTLE.test(clause) || (mood === null && borne.some((one) => one.isNegated && one.clause === clause)),
  )

/** Whether two predicates say something of the same: common verbs only with a noun in common. */
const isOfSame = (one: Predicate, other: Predicate): boolean =>
  one.key === other.key && (one.isNoun || one.noun === null || other.noun === null || one.noun === other.noun)

const isOfSameNoun = (one: Predicate, other: Predicate): boolean =>
  one.key === other.key && (one.isNoun || (one.noun !== null && one.noun === other.noun))

/**
 * Also what is only named within a doubt: 着服した金を使った可能性がある. Not what its topic tells: 逮捕された男は容疑を
 * 認めている.
 */
const isDoubtful = ({ mood, rest }: Predicate): boolean =>
  mood !== null ||
  (/^[ぁ-ん]{0,4}[ただ](?!(?:(?!可能性)[^、。]){1,15}は)[\p{Script=Han}ァ-ヺ]/u.test(rest) &&
    isHedged(rest.slice(0, rest.search(/[。\n]|$/u))))

const keysOf = (predicates: readonly Predicate[]): Set<string> => new Set(predicates.map(({ key }) => key))
