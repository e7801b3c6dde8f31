/**
 * Refuses what its article does not bear out. The output of a language model is published only
 * after this check.
 *
 * Each sentence of a summary carries its quote, and is compared with the passage around it: the
 * quote's sentence, its neighbours, and title and lead of the article. A title is compared with the
 * passage of the sentence that says the same. The rules are few: numbers, days and names that are
 * not there, another role or speaker, a turned direction, a plan or suspicion told as a fact, a
 * negation lost, a superlative or grave word of its own, exchanged numbers, copies, language.
 *
 * They do not understand the text. Who did what to whom, causes, and what was left out are judged
 * by the verifier (verifier.ts).
 */
import { NEWS_SENTENCES_MAX, NEWS_SENTENCES_MIN, TITLE } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import type { SummarySentence } from '@shinobi/contract/news'
import { findProblem } from '@shinobi/contract/text'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { FOUND } from './advice.ts'
import { COPIED_SHARE_MAX, COPY_MAX, findCopy, readRuns, shareOfCopies, substringsOf, type Runs } from './copies.ts'
import { findUnknownDays, readDays, readNumericDates } from './days.ts'
import { findTurned } from './directions.ts'
import { readEnglishNumbers } from './english.ts'
import { readEvidence, readTold, type Claim, type Evidence } from './evidence.ts'
import { findUnsupportedGravity } from './grave.ts'
import { findUnborne, SUPERLATIVES } from './matters.lists.ts'
import { findForeignness, findMarkup, findTalk, isForeign } from './language.ts'
import { findHardened, findReversed } from './moods.ts'
import { findUnknownForeignNames, findUnknownNames } from './names.ts'
import { countNumbers, readNumbers, type FoundNumber } from './numbers.ts'
import { readPassages, type Passages } from './passages.ts'
import { measureQuotes, QUOTE_MAX, QUOTE_MIN, quotesMaxOf } from './quotes.ts'
import { findOtherRoles } from './roles.ts'
import { splitSentences } from './sentences.ts'
import { findMisattributed } from './speakers.ts'
import { findSwapped } from './swaps.ts'
import { dropQuotations, foldFacts, foldQuote, readQuotations } from './text.ts'

const VAGUE_NUMBER = /数[十百千万億兆]+/g
/** Maximum words of one kind in a finding. */
const WORDS_TOLD = 5

/** An article, prepared for the comparison with a summary. */
interface Article {
  readonly foreign: boolean
  readonly publishedAt: string | null
  /** Folded by `foldFacts` (text.ts). */
  readonly title: string
  readonly folded: string
  /** Maximum characters of all its quotes together. */
  readonly quotesMax: number
  /** The text in which quotes are looked up; the title is not part of it. */
  readonly passages: Passages
  readonly runs: Runs
}

/**
 * Lists the problems of a summary in short Japanese sentences for administrators: each names its
 * sentence (見出し or N文目) and the words in question. Advice goes to the model alone (advice.ts).
 * Empty for a good summary. Never throws, whatever the texts are.
 */
export function checkSummary(document: ArticleDocument, { title, sentences }: StorySummary): string[] {
  const article = recallArticle(document)
  const folded = sentences.map(({ text }) => foldFacts(text.slice(0, NEWS_SENTENCE.maxBytes)))
  const quotes = sentences.map(({ quote }) => quote)
  return [
    ...checkCount(sentences.length),
    ...checkText(title, 'title', [quotes[findTied(title, sentences)] ?? '', ...quotes], article).map(
      (finding) => `見出し: ${finding}`,
    ),
    ...sentences.flatMap((sentence, index) => {
      const isRepeated = folded.indexOf(folded[index]!) !== index
      return checkSentence(sentence, isRepeated, article).map((finding) => `${index + 1}文目: ${finding}`)
    }),
    ...checkTaken(folded, sentences, article),
  ]
}

/** The number of the sentence that says what the title says: the one that shares most with it. */
export function findTied(title: string, sentences: readonly SummarySentence[]): number {
  const pairs = substringsOf(foldFacts(title), 2)
  const shares = sentences.map(({ text, quote }) => {
    const own = foldFacts(`${text.slice(0, NEWS_SENTENCE.maxBytes)}\n${quote.slice(0, 2 * QUOTE_MAX)}`)
    return substringsOf(own, 2).intersection(pairs).size
  })
  return Math.max(0, shares.indexOf(Math.max(...shares)))
}

/** How much of the article the sentences and their quotes take over in total. */
function checkTaken(folded: readonly string[], sentences: readonly SummarySentence[], article: Article): string[] {
  const { quotesMax, runs } = article
  // A quote that is too long by itself has been reported.
  const quoted = measureQuotes(sentences.map(({ quote }) => quote).filter((quote) => !isTooLong(quote)))
  return [
    ...(quoted > quotesMax ? [`${FOUND.quotedTooMuch}（合わせて${quoted}文字、全部で${quotesMax}文字まで）。`] : []),
    ...(shareOfCopies(folded, runs) > COPIED_SHARE_MAX ? [`${FOUND.copiedWhole}。`] : []),
  ]
}

/** Cache of prepared articles: each is compared several times while its summary is made. */
const articles = new WeakMap<ArticleDocument, Article>()

function recallArticle(document: ArticleDocument): Article {
  const article = articles.get(document) ?? readArticle(document)
  articles.set(document, article)
  return article
}

export const passagesOf = (document: ArticleDocument): Passages => recallArticle(document).passages

function readArticle(document: ArticleDocument): Article {
  const folded = foldFacts(`${document.title}\n${document.text}`)
  return {
    foreign: isForeign(document.text),
    publishedAt: document.publishedAt,
    title: foldFacts(document.title),
    folded,
    quotesMax: quotesMaxOf(document.text),
    passages: readPassages(document.text),
    runs: readRuns(folded),
  }
}

function checkCount(sentences: number): string[] {
  if (sentences >= NEWS_SENTENCES_MIN && sentences <= NEWS_SENTENCES_MAX) return []
  return [`文が${sentences}つあります（決まりは${NEWS_SENTENCES_MIN}〜${NEWS_SENTENCES_MAX}文）。`]
}

function checkSentence({ text, quote }: SummarySentence, isRepeated: boolean, article: Article): string[] {
  const misquoted = checkQuote(quote, article)
  const findings = checkText(text, 'sentence', misquoted === null ? [quote] : [], article)
  const problem = misquoted ?? (isRepeated ? '前の文と同じです。' : null)
  return problem === null ? findings : [...findings, problem]
}

/** Whether a quote is a whole sentence, which says something however short it is. */
const isSentence = (quote: string, { passages: { sentences } }: Article): boolean =>
  quote.trim() !== '' && [quote, `${quote}。`].some((one) => sentences.includes(foldFacts(one)))

const isTooLong = (quote: string): boolean => quote.length > 2 * QUOTE_MAX || foldQuote(quote).length > QUOTE_MAX

function checkQuote(quote: string, article: Article): string | null {
  if (isTooLong(quote)) return `引用が長すぎます（${QUOTE_MAX}文字まで）。`
  if (foldQuote(quote).length < QUOTE_MIN && !isSentence(quote, article))
    return `引用が短すぎます（${QUOTE_MIN}文字から）。`
  return article.passages.has(quote) ? null : `${FOUND.misquoted}（${tell([quote])}）。`
}

/**
 * The checks that title and sentences share.
 * @param quotes its own, and of a title also those of the other sentences
 */
function checkText(text: string, kind: Claim['kind'], quotes: readonly string[], article: Article): string[] {
  const misshapen = findMisshape(text, kind) ?? findForeignness(text, kind)
  if (misshapen !== null) return [misshapen]
  const folded = foldFacts(text)
  const [place, ...others] = quotes.flatMap((quote) => article.passages.find(quote).slice(0, 1))
  const findings: string[] = []
  if (place !== undefined) {
    const evidence = readEvidence(article.title, article.passages, place, others)
    findings.push(...checkFacts({ ...readTold(folded), kind }, evidence, article))
  }
  const misquoted = readQuotations(text).filter((passage) => !isInArticle(passage, article))
  if (misquoted.length > 0) findings.push(`「」の中の言葉が記事にありません（${tell(misquoted)}）。`)
  const copied = findCopy(folded, article.runs)
  if (copied !== null) findings.push(`${FOUND.copied}${COPY_MAX}文字より長く写しています（${tell([copied])}）。`)
  const talk = findTalk(folded)
  if (talk !== null) findings.push(`読者への呼びかけや、要約・AI自身についての言葉があります（${tell([talk])}）。`)
  return findings
}

/** A finding for each rule that a claim breaks. */
function checkFacts(claim: Claim, evidence: Evidence, article: Article): string[] {
  const { foreign, passages, title } = article
  const own = { ...claim, ...readTold(dropQuotations(claim.text)) }
  const found: [finding: string, words: readonly string[]][] = [
    ...checkNumbersAndDays(claim, evidence, article),
    [FOUND.turned, findTurned(own, evidence, foreign)],
    [FOUND.superlative, findUnborne(SUPERLATIVES, own.text, evidence.near.text)],
    [
      '記事のその箇所にない名前があります',
      (foreign ? findUnknownForeignNames : findUnknownNames)(claim, evidence.known),
    ],
  ]
  if (!foreign) {
    found.push(
      ['記事では別の肩書の人です', findOtherRoles(claim, article.folded)],
      [FOUND.swapped, findSwapped(claim, evidence)],
      [FOUND.reversed, findReversed(own, evidence)],
      [FOUND.hardened, findHardened(own, evidence)],
      [FOUND.grave, findUnsupportedGravity(own, evidence, [title, ...passages.sentences])],
      ['「」の中の言葉は、記事では別の人のものです', findMisattributed(claim.text, claim.kind, passages)],
    )
  }
  return found.filter(([, words]) => words.length > 0).map(([finding, words]) => `${finding}（${tell(words)}）。`)
}

function checkNumbersAndDays(
  claim: Claim,
  { known }: Evidence,
  { foreign, publishedAt }: Article,
): [string, readonly string[]][] {
  const numbers = [...readNumbers(known), ...readNumericDates(known)].toSorted((a, b) => a.start - b.start)
  const { months, ...days } = readDays(known, numbers, publishedAt)
  const completed = months.map((month) => ({ written: '', values: [month], unit: '月', start: 0, end: 0 }))
  const counted = countNumbers([...numbers, ...completed], foreign ? readEnglishNumbers(known) : null)
  const unknown = readNumbers(claim.text).filter((number) => !counted.has(number) && !isTold(number, claim.text, known))
  // 数百人 is no number, but an article with 数十人 does not support it.
  const vague = (foreign ? [] : (claim.text.match(VAGUE_NUMBER) ?? [])).filter((word) => !known.includes(word))
  return [
    ['記事のその箇所にない数があります', [...unknown.map(({ written }) => written), ...vague]],
    ['記事のその箇所にない日付や曜日があります', findUnknownDays(claim.text, days)],
  ]
}

/** Whether evidence has a number in words: 1年前 as 前年, 2信金 as 両信金 or as A信金とB信金. */
function isTold({ values: [value], unit, end }: FoundNumber, text: string, known: string): boolean {
  if (unit === '年' && value === '1' && text[end] === '前') return /前年|前の年|昨年|去年/u.test(known)
  const count = Number(value)
  if (count === 2 && /両(?!方|面|替)[\p{Script=Han}ァ-ヺー]/u.test(known)) return true
  const noun = unit === '' ? (/^[\p{Script=Han}ァ-ヺー]{2,4}/u.exec(text.slice(end))?.[0] ?? '') : ''
  return count > 1 && count < 6 && noun !== '' && known.split(/[。\n]/u).some((line) => line.split(noun).length > count)
}

const isInArticle = (passage: string, article: Article): boolean =>
  article.passages.has(passage) || foldQuote(article.folded).includes(foldQuote(passage.toLowerCase()))

function findMisshape(text: string, kind: 'title' | 'sentence'): string | null {
  const limit = kind === 'title' ? TITLE : NEWS_SENTENCE
  const problem = findProblem(text, limit, 'line')
  if (problem === 'bad_characters') return '改行や、使えない文字が含まれています。'
  if (problem === 'too_long') return `長すぎます（${limit.max}文字まで）。`
  if (problem !== null) return `短すぎます（${limit.min}文字から）。`
  const markup = findMarkup(text)
  if (markup !== null) return markup
  if (kind === 'title') return null
  const sentences = splitSentences(text).length
  return sentences > 1 ? `${FOUND.severalSentences}（${sentences}文あります）。` : null
}

/** Formats words for a finding: in brackets, limited in length and number. */
const tell = (words: readonly string[]): string =>
  [...new Set(words)]
    .slice(0, WORDS_TOLD)
    .map((word) => {
      const shown = word.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ')
      return `「${shown.length > 30 ? `${shown.slice(0, 30).toWellFormed()}…` : shown}」`
    })
    .join('')
