/** Time of the word filter: 10,000 banned words against posts of 4,000 characters. Run: node bench/word-matcher.ts */
import { foldForFilter } from '../apps/server/src/lib/fold-for-filter.ts'
import { createWordMatcher } from '../apps/server/src/lib/word-matcher.ts'

const WORDS = 10_000
const LENGTH = 4_000
const ROUNDS = 200

/** A small generator of its own, so that two runs measure the same words. */
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

let matcher = createWordMatcher([])
const built = timed(() => {
  matcher = createWordMatcher(rules)
})
const folded = timed(() => texts.forEach((text) => foldForFilter(text)))
let hits = 0
const found = timed(() =>
  texts.forEach((text) => {
    hits += matcher.findAll(text).length
  }),
)
const ms = (value: number): string => `${value.toFixed(2)} ms`
console.log(`building ${WORDS} words: ${ms(built)}`)
console.log(`folding ${LENGTH} characters: ${ms(folded / ROUNDS)}`)
console.log(`folding and matching ${LENGTH} characters: ${ms(found / ROUNDS)} (${hits} hits in ${ROUNDS} texts)`)
