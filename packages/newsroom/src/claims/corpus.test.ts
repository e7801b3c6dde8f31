/** How many lies the rules catch without a verifier, and how many honest sentences they refuse. */
import { expect, it } from 'vitest'
import { concerns, readCarefulSummaries, readCorpus } from '../testing/corpus/corpus.ts'
import { MATTERS } from '../testing/outside/newspaper.ts'
import { checkSummary } from './checker.ts'
import { splitSentences } from './sentences.ts'

const SAMPLES = readCorpus()
const refused = SAMPLES.filter((sample) => concerns(sample, checkSummary(sample.document, sample.summary)))

it('each sentence of an article is borne out by itself', () => {
  const articles = [
    ...new Map(SAMPLES.map(({ document }) => [document.url, document])).values(),
    ...MATTERS.map(({ title, paragraphs }) => ({ ...SAMPLES[0]!.document, title, text: paragraphs.join('\n') })),
  ]
  expect(articles).toHaveLength(18)
  for (const document of articles) {
    for (const { text } of splitSentences(document.text)) {
      const findings = checkSummary(document, {
        title: document.title,
        sentences: [{ text, quote: text.slice(0, 140) }],
      })
      // It copies the article, and some are shorter or longer than a summary's sentences.
      const own = findings.filter(
        (finding) => finding.startsWith('1文目') && !/写して|短すぎ|長すぎ|日本語の文/u.test(finding),
      )
      expect([text, own]).toEqual([text, []])
    }
  }
})

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
  ...['wrong_number', 'swapped_numbers', 'unit', 'percent_point', 'direction', 'negation'],
  ...['hedge_dropped', 'superlative', 'wrong_name', 'quote_misattributed'],
])('the kind that rules can decide is caught: %s', (kind) => {
  const lies = SAMPLES.filter(({ lie }) => lie === kind)
  expect(lies.filter((lie) => !refused.includes(lie)).map(({ text }) => text)).toEqual([])
})

it.each(readCarefulSummaries())('a careful summary is accepted as a whole: $about', ({ document, summary }) => {
  expect(checkSummary(document, summary)).toEqual([])
})
