/** How many lies the rules catch without a verifier, and how many honest sentences they refuse. */
import { expect, it } from 'vitest'
import { concerns, readCorpus } from '../testing/corpus/corpus.ts'
import { checkSummary } from './checker.ts'

const SAMPLES = readCorpus()
const refused = SAMPLES.filter((sample) => concerns(sample, checkSummary(sample.document, sample.summary)))

it('lies are caught by rules alone, nearly half of them at least', () => {
  const lies = SAMPLES.filter(({ lie }) => lie !== null)
  expect(lies).toHaveLength(83)
  expect(refused.filter(({ lie }) => lie !== null).length / lies.length).toBeGreaterThanOrEqual(0.45)
})

it('honest sentences and titles are let through, all but one in twenty', () => {
  const honest = SAMPLES.filter(({ lie }) => lie === null)
  expect(honest).toHaveLength(57)
  expect(refused.filter(({ lie }) => lie === null).length / honest.length).toBeLessThanOrEqual(0.05)
})

it.each([
  'wrong_number',
  'swapped_numbers',
  'unit',
  'percent_point',
  'direction',
  'negation',
  'hedge_dropped',
  'superlative',
  'wrong_name',
  'quote_misattributed',
])('the kind that rules can decide is caught: %s', (kind) => {
  const lies = SAMPLES.filter(({ lie }) => lie === kind)
  expect(lies.filter((lie) => !refused.includes(lie)).map(({ text }) => text)).toEqual([])
})
