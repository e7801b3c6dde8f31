/**
 * Summaries without a language model: the first sentences of the article itself that say something
 * new (抜粋要約), because news state their main facts first. They use only the article's words, so they
 * are kept to the length of a quotation.
 */
import { NEWS_SENTENCES_MIN, type TextLimit } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import type { SummarySentence } from '@shinobi/contract/news'
import { findProblem } from '@shinobi/contract/text'
import type { ArticleDocument, StorySummary } from '../documents.ts'
import { substringsOf } from '../claims/copies.ts'
import { isForeign } from '../claims/language.ts'
import { QUOTE_MAX } from '../claims/quotes.ts'
import { splitSentences } from '../claims/sentences.ts'
import { fitTitle } from './made.ts'

/**
 * Maximum share and length of an extract: stricter than the quotes of a model (quotes.ts), because
 * an extract has no words of its own.
 */
const SHARE_MAX = 0.35
const LENGTH_MAX = 400
/**
 * The first sentence of a very short article exceeds that share. It is accepted up to this length,
 * as long as it is not most of the article.
 */
const LENGTH_MAX_OF_SHORT = 80
const SHARE_MAX_OF_SHORT = 0.5
/** No extract is made of a shorter text, and no shorter sentence is used. */
const TEXT_MIN = 72
const SENTENCE_MIN = 15
/** Two sentences with a larger share of common words say the same. */
const SAME = 0.6

/** The furniture of news pages: bylines, credits, invitations. */
const FURNITURE =
  /関連記事|関連ニュース|続きを読む|続きは|有料会員|会員限定|会員登録|無料登録|無断転載|転載を禁|著作権|copyright|all rights reserved|©|写真[=＝:：]|[=＝]写真|撮影[=＝)）]|提供[=＝:：]|画像[=＝:：]|クリック|ログイン|購読|メルマガ|メールマガジン|フォロー(?:する|して)|シェアする|お問い合わせ|ご覧ください|記事一覧|この記事(?:は|を)|あわせて読み|配信元|公式(?:X|LINE|アカウント)|https?:/i
/** 【東京=山田太郎】 and （共同） before the news itself. */
const TAG =
  /^(?:【[^】]{0,40}】|[(（][^)）]{0,15}[)）]|[\p{Script=Han}ァ-ヺー・]{1,12}(?:共同|時事|ロイター)[=＝])[\s　]*/u
/** Sentences that depend on the one before, which may be left out. */
const LEANING =
  /^(?:しかし|だが|また|さらに|一方|ただ|そのため|このため|これ|それ|その|この|こう|同(?:氏|社|省|党|市|県|庁|日)|なお|ところが|そして|そこで)/

/** The result of an extraction, or why there is none. */
export type Extracted = { readonly summary: StorySummary } | { readonly problem: 'language' | 'no_text' }

/**
 * An extract in the order of the article. Text in another language, or too short a text, gives
 * none.
 */
export function summariseExtractively(document: ArticleDocument): Extracted {
  if (isForeign(document.text)) return { problem: 'language' }
  if (document.text.length < TEXT_MIN) return { problem: 'no_text' }
  const { text } = document
  const best = choose(readCandidates(text), roomFor(text.length))
  const chosen = best.toSorted((a, b) => text.indexOf(a.quote) - text.indexOf(b.quote))
  const title = fitTitle(document.title) ?? fitTitle(chosen[0]?.text ?? '')
  return chosen.length === 0 || title === null ? { problem: 'no_text' } : { summary: { title, sentences: chosen } }
}

/** Maximum characters of an extract of a text of this length. */
const roomFor = (length: number): number =>
  Math.floor(
    Math.max(Math.min(LENGTH_MAX, length * SHARE_MAX), Math.min(LENGTH_MAX_OF_SHORT, length * SHARE_MAX_OF_SHORT)),
  )

/** The sentences of an article, those that lean on another last. */
function readCandidates(text: string): string[] {
  const passages = splitSentences(text).map(({ text: passage }) => passage.replace(TAG, ''))
  const usable = passages.filter(
    (passage) => findProblem(passage, PASSAGE, 'line') === null && !FURNITURE.test(passage),
  )
  // Headings and captions do not end like sentences; a text of nothing else is taken as it is.
  const ended = usable.filter((passage) => /[。.！？!?」』]$/.test(passage))
  const [lead = '', ...others] = ended.length > 0 ? ended : usable
  const { false: own = [], true: leaning = [] } = Object.groupBy(others, (passage) => `${LEANING.test(passage)}`)
  return [lead, ...own, ...leaning].filter((passage) => passage !== '')
}

/** A sentence is quoted as a whole, so one that is longer than a quote may be is left out. */
const PASSAGE: TextLimit = { ...NEWS_SENTENCE, min: SENTENCE_MIN, max: QUOTE_MAX }

/** Pairs of characters of the content words: kanji, katakana, Latin letters and digits. */
function readWords(passage: string): Set<string> {
  const words =
    passage
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{Script=Han}々]+|[ァ-ヺー]+|[a-z0-9.]+/gu) ?? []
  return new Set(words.flatMap((word) => (word.length === 1 ? [word] : [...substringsOf(word, 2)])))
}

/** The share of common words, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** The first candidates that add something new and fit within `room`. */
function choose(candidates: readonly string[], room: number): SummarySentence[] {
  const chosen: { passage: string; words: ReadonlySet<string> }[] = []
  let left = room
  for (const passage of candidates) {
    if (chosen.length === NEWS_SENTENCES_MIN) break
    const words = readWords(passage)
    if (passage.length > left || chosen.some((other) => likeness(other.words, words) > SAME)) continue
    chosen.push({ passage, words })
    left -= passage.length
  }
  return chosen.map(({ passage }) => ({ text: passage, quote: passage }))
}
