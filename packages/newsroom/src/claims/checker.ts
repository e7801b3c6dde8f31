/**
 * Refuses summaries that their article does not support. The output of a language model is
 * published only after this check.
 *
 * It compares what can be compared by characters: quotes, numbers, days, names, quotations and
 * their speakers, grave words, copies, language. It does not understand the text: a sentence of
 * true words in a false order (who did what to whom, which of two numbers belongs to what) passes,
 * and so does a reversal in other words. Where a check can only guess, it accepts, because every
 * false refusal costs a thread.
 */
import { NEWS_SENTENCES_MAX, NEWS_SENTENCES_MIN, TITLE } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import type { SummarySentence } from '@shinobi/contract/news'
import { findProblem } from '@shinobi/contract/text'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { FOUND } from './advice.ts'
import { COPIED_SHARE_MAX, COPY_MAX, findCopy, readForCopies, shareOfCopies, type CopiedText } from './checker-copy.ts'
import { findUnknownDays, readDays, readNumericDates, type NamedDays } from './checker-dates.ts'
import { findUnsupportedGravity, readGraveText, type GraveText } from './checker-grave.ts'
import { findForeignness, findMarkup, findTalk, isForeign } from './checker-language.ts'
import { findReversal } from './checker-negation.ts'
import { readPlaces, type Place, type Places } from './checker-places.ts'
import { findUnknownShares, type SharedText } from './checker-shares.ts'
import { findMisattributed } from './checker-speakers.ts'
import { dropQuotations, foldFacts, foldQuote, readQuotations } from './checker-text.ts'
import { readEnglishNumbers } from './checker-english.ts'
import { countNumbers, readNumbers, type CountedNumbers, type FoundNumber } from './japanese-numbers.ts'
import { findUnknownNames, readNames, type NamedText } from './names.ts'
import { measureQuotes, QUOTE_MAX, QUOTE_MIN, quotesMaxOf } from './quotes.ts'
import { splitSentences } from './sentences.ts'

/**
 * Minimum share of the characters of its content words that a sentence has in common with its
 * article. In the tests' samples, true sentences have at least 0.6, and nearly all sentences about
 * another article less than 0.4.
 */
const GROUNDED_SHARE = 0.4
/** With fewer characters, a share is meaningless. */
const CONTENT_MIN = 10
const VAGUE_NUMBER = /数[十百千万億兆]+/g
/** Maximum words of one kind in a finding. */
const WORDS_TOLD = 5

/** An article, prepared for the comparison with a summary. */
interface Article {
  readonly foreign: boolean
  /** The text in which quotes are looked up; the title is not part of it. */
  readonly quotable: string
  /** Maximum characters of all its quotes together. */
  readonly quotesMax: number
  readonly folded: string
  readonly places: Places
  readonly grave: GraveText
  readonly copyable: CopiedText
  readonly numbers: CountedNumbers
  readonly shares: SharedText
  readonly days: NamedDays
  readonly names: NamedText
  readonly pairs: ReadonlySet<string>
}

/**
 * Lists the problems of a summary in short Japanese sentences for administrators: each names its
 * sentence (見出し or N文目) and the words in question. Advice goes to the model alone (advice.ts).
 * Empty for a good summary. Never throws, whatever the texts are.
 */
export function checkSummary(document: ArticleDocument, { title, sentences }: StorySummary): string[] {
  const article = recallArticle(document)
  const folded = sentences.map(({ text }) => foldFacts(text.slice(0, NEWS_SENTENCE.maxBytes)))
  const firsts = new Map(folded.toReversed().map((text, back) => [text, folded.length - 1 - back]))
  return [
    ...checkCount(sentences.length),
    ...checkText(title, 'title', article, []).map((finding) => `見出し: ${finding}`),
    ...sentences.flatMap((sentence, index) => {
      const isRepeated = firsts.get(folded[index]!) !== index
      return checkSentence(sentence, folded[index]!, isRepeated, article).map(
        (finding) => `${index + 1}文目: ${finding}`,
      )
    }),
    ...checkTaken(folded, sentences, article),
  ]
}

/** How much of the article the sentences and their quotes take over in total. */
function checkTaken(folded: readonly string[], sentences: readonly SummarySentence[], article: Article): string[] {
  const findings: string[] = []
  // A quote that is too long by itself has been reported.
  const quoted = measureQuotes(sentences.map(({ quote }) => quote).filter((quote) => !isTooLong(quote)))
  if (quoted > article.quotesMax) {
    findings.push(`${FOUND.quotedTooMuch}（合わせて${quoted}文字、全部で${article.quotesMax}文字まで）。`)
  }
  if (shareOfCopies(folded, article.copyable) > COPIED_SHARE_MAX) {
    findings.push(`${FOUND.copiedWhole}。`)
  }
  return findings
}

/** Cache of prepared articles: each is compared several times while its summary is made. */
const articles = new WeakMap<ArticleDocument, Article>()

function recallArticle(document: ArticleDocument): Article {
  const known = articles.get(document)
  if (known !== undefined) return known
  const article = readArticle(document)
  articles.set(document, article)
  return article
}

function readArticle(document: ArticleDocument): Article {
  const folded = foldFacts(`${document.title}\n${document.text}`)
  const foreign = isForeign(document.text)
  const places = readPlaces(document.text)
  const numbers = [...readNumbers(folded), ...readNumericDates(folded)].toSorted((a, b) => a.start - b.start)
  const { months, ...days } = readDays(folded, numbers, document.publishedAt)
  const completed = months.map((month) => ({ written: '', values: [month], unit: '月', start: 0, end: 0 }))
  return {
    foreign,
    quotable: foldQuote(document.text),
    quotesMax: quotesMaxOf(document.text),
    folded,
    places,
    grave: readGraveText(folded, document.title, places, foreign),
    copyable: readForCopies(folded),
    numbers: countNumbers([...numbers, ...completed], foreign ? readEnglishNumbers(folded) : null),
    shares: { text: folded, numbers },
    days,
    names: readNames(folded, foreign),
    pairs: readPairs(folded),
  }
}

function checkCount(sentences: number): string[] {
  if (sentences >= NEWS_SENTENCES_MIN && sentences <= NEWS_SENTENCES_MAX) return []
  return [`文が${sentences}つあります（決まりは${NEWS_SENTENCES_MIN}〜${NEWS_SENTENCES_MAX}文）。`]
}

function checkSentence(
  { text, quote }: SummarySentence,
  folded: string,
  isRepeated: boolean,
  article: Article,
): string[] {
  const misquoted = checkQuote(quote, article)
  const findings = checkText(text, 'sentence', article, misquoted === null ? article.places.find(quote) : [])
  if (misquoted !== null) return [...findings, misquoted]
  if (isRepeated) findings.push('前の文と同じです。')
  // Words of two languages cannot be compared by their characters.
  return article.foreign ? findings : [...findings, ...checkGround(folded, foldFacts(quote), article)]
}

const isTooLong = (quote: string): boolean => quote.length > 2 * QUOTE_MAX || foldQuote(quote).length > QUOTE_MAX

function checkQuote(quote: string, article: Article): string | null {
  if (isTooLong(quote)) return `引用が長すぎます（${QUOTE_MAX}文字まで）。`
  const folded = foldQuote(quote)
  if (folded.length < QUOTE_MIN) return `引用が短すぎます（${QUOTE_MIN}文字から）。`
  return article.quotable.includes(folded) ? null : `${FOUND.misquoted}（${tell([quote])}）。`
}

/**
 * The checks that title and sentences share.
 * @param quoted where the quote of a sentence stands
 */
function checkText(text: string, kind: 'title' | 'sentence', article: Article, quoted: readonly Place[]): string[] {
  const misshapen = findMisshape(text, kind)
  if (misshapen !== null) return [misshapen]
  const foreignness = findForeignness(text, kind)
  if (foreignness !== null) return [foreignness]
  const folded = foldFacts(text)
  const findings: string[] = []
  const add = (words: readonly string[], toFinding: (told: string) => string) => {
    if (words.length > 0) findings.push(toFinding(tell(words)))
  }
  const { numbers, days, names } = article
  const unknownNumbers = readNumbers(folded).filter((number) => !numbers.has(number))
  // 数百人 is no number, but an article with 数十人 does not support it.
  const vague = (article.foreign ? [] : (folded.match(VAGUE_NUMBER) ?? [])).filter(
    (word) => !article.folded.includes(word),
  )
  const unknownDays = findUnknownDays(folded, days)
  const shares = article.foreign ? [] : findUnknownShares(folded, article.shares)
  add(
    [...unknownNumbers.map(({ written }) => written), ...vague, ...shares],
    (told) => `記事にない数があります（${told}）。`,
  )
  add(unknownDays, (told) => `記事にない日付や曜日があります（${told}）。`)
  add(findUnknownNames(folded, names), (told) =>
    article.foreign ? `${FOUND.foreignName}（${told}）。` : `記事にない名前があります（${told}）。`,
  )
  const misquoted = readQuotations(text).filter((passage) => !isInArticle(passage, article))
  add(misquoted, (told) => `「」の中の言葉が記事にありません（${told}）。`)
  if (!article.foreign) {
    add(
      findMisattributed(folded, kind, article.places),
      (told) => `「」の中の言葉は、記事では別の人のものです（${told}）。`,
    )
  }
  add(findUnsupportedGravity(dropQuotations(folded), article.grave, quoted), (told) => `${FOUND.grave}（${told}）。`)
  const copied = findCopy(folded, article.copyable)
  if (copied !== null) add([copied], (told) => `${FOUND.copied}${COPY_MAX}文字より長く写しています（${told}）。`)
  const talk = findTalk(folded)
  if (talk !== null) add([talk], (told) => `読者への呼びかけや、要約・AI自身についての言葉があります（${told}）。`)
  return findings
}

const isInArticle = (passage: string, article: Article): boolean =>
  article.quotable.includes(foldQuote(passage)) || foldQuote(article.folded).includes(foldQuote(passage.toLowerCase()))

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

const CONTENT = /[\p{Script=Han}々]+|[ァ-ヺー]+|[a-z][a-z0-9.&'+-]*/gu

/** All pairs of adjacent characters. */
function readPairs(folded: string): Set<string> {
  const pairs = new Set<string>()
  for (let at = 0; at + 2 <= folded.length; at += 1) pairs.add(folded.slice(at, at + 2))
  return pairs
}

/** Content words, without numbers. */
function readContent(folded: string, numbers: readonly FoundNumber[]): string[] {
  const rest = numbers.reduceRight((text, { start, end }) => `${text.slice(0, start)}、${text.slice(end)}`, folded)
  return rest.match(CONTENT) ?? []
}

/**
 * Checks that the sentence as a whole concerns its article and its quote, and does not say the
 * opposite.
 */
function checkGround(folded: string, quote: string, article: Article): string[] {
  const findings: string[] = []
  const numbers = readNumbers(folded)
  const words = readContent(folded, numbers)
  const long = words.filter((word) => word.length > 1)
  const length = long.reduce((sum, word) => sum + word.length, 0)
  const grounded = long.reduce((sum, word) => sum + countShared(word, article.pairs, article.folded), 0)
  if (length >= CONTENT_MIN && grounded / length < GROUNDED_SHARE) {
    findings.push(`${FOUND.ungrounded}。`)
  }
  const quoted = countNumbers(readNumbers(quote))
  const quotedPairs = readPairs(quote)
  const meets =
    words.some((word) => countShared(word, quotedPairs, quote) > 0) || numbers.some((number) => quoted.has(number))
  if (!meets) findings.push(`${FOUND.unrelatedQuote}。`)
  const reversed = findReversal(folded, quote)
  if (reversed !== null) findings.push(`引用と肯定・否定が逆です（${reversed}）。`)
  return findings
}

/**
 * Counts the characters of a word that the text has beside the same neighbour, and half of those
 * that it has elsewhere.
 */
function countShared(word: string, pairs: ReadonlySet<string>, text: string): number {
  let shared = 0
  for (let at = 0; at < word.length; at += 1) {
    if (pairs.has(word.slice(at, at + 2)) || (at > 0 && pairs.has(word.slice(at - 1, at + 1)))) shared += 1
    else if (text.includes(word[at]!)) shared += 0.5
  }
  return shared
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
