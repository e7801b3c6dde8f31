/**
 * Finds claims that make more of a matter than their article: a plan that was carried out, a fear
 * or suspicion that became a fact, a denial that became its opposite.
 */
import { isMeasured } from './directions.ts'
import type { Claim, Evidence } from './evidence.ts'
import { isHedged, readPredicates, TELLING, type Predicate } from './predicates.ts'

/** The predicates that are surer in the claim than at its quote: 提訴した for 提訴も排除しない. */
export function findHardened(claim: Claim, evidence: Evidence): string[] {
  const { quoted, near } = evidence
  const said = readPredicates(claim.text, claim.words).filter(({ rest }) => !isHedged(rest))
  const borne = readPredicates(near.text, near.words, keysOf(said))
  const own = readPredicates(quoted.text, quoted.words, keysOf(said))
  const hardened = said.filter((one) => {
    if (isMeasured(claim, one.start, evidence)) return false
    if (borne.some((other) => isOfSame(one, other) && !isDoubtful(other))) return false
    // A neighbour of the quote that has the same verb may tell of something else.
    const same = [...own.filter((other) => isOfSame(one, other)), ...borne.filter((other) => isOfSameNoun(one, other))]
    return same.some(({ mood }) => mood === 'possible' || (mood === 'planned' && one.isPast))
  })
  if (hardened.length > 0) return hardened.map(({ key }) => key)
  const plans = readPredicates(quoted.text, quoted.words)
  const [last] = said.filter(({ key }) => !TELLING.has(key)).slice(-1)
  const isPlan = plans.some(({ mood }) => mood === 'planned') && !plans.some(({ isPast }) => isPast)
  return isPlan && last !== undefined && last.isPast && last === said.at(-1) ? [last.key] : []
}

/** The predicates that only one of claim and quote negates. */
export function findReversed(claim: Claim, { quoted }: Evidence): string[] {
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

const isDoubtful = ({ mood }: Predicate): boolean => mood === 'possible' || mood === 'planned'

const keysOf = (predicates: readonly Predicate[]): Set<string> => new Set(predicates.map(({ key }) => key))
