/**
 * Time of the word filter: 10,000 banned words against posts of 4,000 characters, both ordinary
 * ones and worst cases. Run: node bench/word-matcher.ts
 */
import { foldForFilter } from '../apps/server/src/features/words/fold-for-filter.ts'
import { createWordMatcher, type WordMatcher, type WordRule } from '../apps/server/src/features/words/word-matcher.ts'

const WORDS = 10_000
const LENGTH = 4_000
const ROUNDS = 200

/** A small seeded generator, so that two runs measure the same words. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const next = random(1)
const kanji = (): string => String.fromCharCode(0x4e00 + Math.floor(next() * 2_000))
const kana = (): string => String.fromCharCode(0x3042 + Math.floor(next() * 80))
const word = (): string =>
  Array.from({ length: 2 + Math.floor(next() * 6) }, () => (next() < 0.5 ? kanji() : kana())).join('')

const rules = Array.from({ length: WORDS }, () => ({ word: word() }))
const texts = Array.from({ length: ROUNDS }, () => {
  let text = ''
  while (text.length < LENGTH) text += word()
  return text.slice(0, LENGTH)
})

const timed = (run: () => void): number => {
  const start = performance.now()
  run()
  return performance.now() - start
}
const ms = (value: number): string => `${value.toFixed(2)} ms`

function build(name: string, given: readonly WordRule[]): WordMatcher {
  let matcher = createWordMatcher([])
  const took = timed(() => {
    matcher = createWordMatcher(given)
  })
  console.log(`building ${given.length} rules, ${name}: ${ms(took)}`)
  return matcher
}

/** Prints the median, because on a busy machine other programs distort the mean. */
function measure(name: string, given: readonly string[], run: (text: string) => unknown): void {
  const times = given.map((text) => timed(() => void run(text))).toSorted((a, b) => a - b)
  console.log(`  ${name}: ${ms(times[Math.floor(times.length / 2)]!)} (slowest ${ms(times.at(-1)!)})`)
}

const fill = (unit: string): string => unit.repeat(Math.ceil(LENGTH / unit.length)).slice(0, LENGTH)
const many = (text: string): string[] => Array.from({ length: ROUNDS }, () => text)
const strange = (): string =>
  Array.from({ length: LENGTH }, () => String.fromCharCode(0x80 + Math.floor(next() * 0xd000))).join('')

const matcher = build('of 2 to 7 characters', rules)
measure('fold', texts, foldForFilter)
measure('find the first', texts, matcher.find)
measure('survey', texts, matcher.survey)
measure('survey, characters of all scripts', Array.from({ length: ROUNDS }, strange), matcher.survey)
measure('survey, half-width with voicing marks', many(fill('ﾊﾞｶﾞﾊﾟ')), matcher.survey)
measure('survey, letters apart', many(fill('死 ね・')), matcher.survey)
measure('survey, drawn and look-alike characters', many(fill('タ ヒ力ーーsh1t')), matcher.survey)
measure('survey, emoji of several code points', many('👨‍👩‍👧'.repeat(LENGTH)), matcher.survey)
measure('survey, characters that fold to many', many('㍍'.repeat(LENGTH)), matcher.survey)

const same = many('あ'.repeat(LENGTH))
const nested = Array.from({ length: WORDS }, (_, index) => ({ word: 'あ'.repeat(index + 1) }))
measure('survey, one character', same, build('each the end of the next', nested).survey)
const suffixes = Array.from({ length: 60 }, (_, index) => ({
  word: 'あ'.repeat(index + 1),
  allow: [`${'あ'.repeat(60)}い`],
}))
measure('survey, one character', same, build('the same up to 60 with allowed words', suffixes).survey)
