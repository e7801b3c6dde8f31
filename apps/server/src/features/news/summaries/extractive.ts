/**
 * Summaries without a language model: the article's own most telling sentences (抜粋要約). They say nothing that the article does not
 * say, in its words, so they are kept short: no more than a quotation.
 */
import { NEWS_SENTENCE, NEWS_SENTENCES_MIN, TITLE, type TextLimit } from '@shinobi/contract/limits'
import type { SummarySentence } from '@shinobi/contract/news'
import { cleanLine, countGraphemes, findProblem, truncateGraphemes } from '@shinobi/contract/text'
import type { ArticleDocument, StorySummary } from '../../../db/tables.ts'
import { splitSentences } from './sentences.ts'

/** An extract is at most this much of its article, and this long. */
const SHARE_MAX = 0.35
const LENGTH_MAX = 400
/** With less room than this, or in a sentence shorter than this, nothing is told. */
const LENGTH_MIN = 25
const SENTENCE_MIN = 15
/** Sentences that are weighed: the news is told by then, and all are compared with each other. */
const WEIGHED_MAX = 120
/** Two sentences that share more than this of their words say the same. */
const SAME = 0.6
/** Rounds of ranking; more change nothing. */
const ROUNDS = 15
const DAMPING = 0.85

/** The furniture of news pages: bylines, credits, invitations. */
const FURNITURE =
  /関連記事|関連ニュース|続きを読む|続きは|有料会員|会員限定|会員登録|無料登録|無断転載|転載を禁|著作権|copyright|all rights reserved|©|写真[=＝:：]|[=＝]写真|撮影[=＝)）]|提供[=＝:：]|画像[=＝:：]|クリック|ログイン|購読|メルマガ|メールマガジン|フォロー(?:する|して)|シェアする|お問い合わせ|ご覧ください|記事一覧|この記事(?:は|を)|あわせて読み|配信元|公式(?:X|LINE|アカウント)|https?:/i
/** 【東京=山田太郎】 and （共同） before the news itself. */
const TAG =
  /^(?:【[^】]{0,40}】|[(（][^)）]{0,15}[)）]|[\p{Script=Han}ァ-ヺー・]{1,12}(?:共同|時事|ロイター)[=＝])[\s　]*/u
/** Lean on a sentence before them. */
const LEANING =
  /^(?:しかし|だが|また|さらに|一方|ただ|そのため|このため|これ|それ|その|この|こう|同(?:氏|社|省|党|市|県|庁|日)|なお|ところが|そして|そこで)/
const LEANING_WEIGHT = 0.75
/** The first sentences of news tell it: the first counts twice, the second by half more, and so on. */
const leadWeight = (index: number): number => 1 + 1 / (1 + index)

interface Candidate {
  /** As it stands in the article. */
  readonly passage: string
  readonly index: number
  readonly words: ReadonlySet<string>
}

/** An extract in the order of the article; null when the article is too short to have one. */
export function summariseExtractively(document: ArticleDocument): StorySummary | null {
  const room = Math.min(LENGTH_MAX, Math.floor(document.text.length * SHARE_MAX))
  if (room < LENGTH_MIN) return null
  const candidates = readCandidates(document.text)
  const chosen = choose(candidates, rank(candidates), room)
  const title = fitTitle(document.title, chosen)
  return chosen.length === 0 || title === null ? null : { title, sentences: chosen }
}

function readCandidates(text: string): Candidate[] {
  const passages = splitSentences(text).map(({ text: passage }) => passage.replace(TAG, ''))
  const usable = passages.filter(
    (passage) => findProblem(passage, PASSAGE, 'line') === null && !FURNITURE.test(passage),
  )
  // Headings and captions do not end like sentences; a text that has nothing else is taken as it is.
  const ended = usable.filter((passage) => /[。.！？!?」』]$/.test(passage))
  return (ended.length > 0 ? ended : usable)
    .slice(0, WEIGHED_MAX)
    .map((passage, index) => ({ passage, index, words: readWords(passage) }))
}

/** Also the most that is shown as what a sentence rests on: longer ones are no sentences of news. */
const PASSAGE: TextLimit = { min: SENTENCE_MIN, max: 300, maxBytes: 3_600 }

/** Pairs of characters of the words that carry meaning: kanji, katakana, Latin letters and digits. */
function readWords(passage: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of passage
    .normalize('NFKC')
    .toLowerCase()
    .matchAll(/[\p{Script=Han}々]+|[ァ-ヺー]+|[a-z0-9.]+/gu)) {
    if (word.length === 1) words.add(word)
    for (let at = 0; at + 2 <= word.length; at += 1) words.add(word.slice(at, at + 2))
  }
  return words
}

/** LexRank: a sentence is telling when it shares words with telling sentences. */
function rank(candidates: readonly Candidate[]): number[] {
  const links = candidates.map((a) => candidates.map((b) => (a === b ? 0 : likeness(a.words, b.words))))
  const sums = links.map((row) => row.reduce((sum, link) => sum + link, 0))
  const count = candidates.length
  let scores = candidates.map(() => 1 / count)
  for (let round = 0; round < ROUNDS; round += 1) {
    scores = scores.map((_, to) => {
      const given = scores.reduce(
        (sum, score, from) => sum + (sums[from]! > 0 ? (score * links[from]![to]!) / sums[from]! : 0),
        0,
      )
      return (1 - DAMPING) / count + DAMPING * given
    })
  }
  return candidates.map(
    ({ passage, index }, at) => scores[at]! * leadWeight(index) * (LEANING.test(passage) ? LEANING_WEIGHT : 1),
  )
}

/** The share of common words, 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = a.intersection(b).size
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}

/** The best sentences that say something new and fit into the room, in the order of the article. */
function choose(candidates: readonly Candidate[], scores: readonly number[], room: number): SummarySentence[] {
  const best = candidates.toSorted((a, b) => scores[b.index]! - scores[a.index]!)
  const chosen: { index: number; sentence: SummarySentence; words: ReadonlySet<string> }[] = []
  let left = room
  for (const { passage, index, words } of best) {
    if (chosen.length === NEWS_SENTENCES_MIN) break
    if (chosen.some((other) => likeness(other.words, words) > SAME)) continue
    // Only the first may be cut to fit: a row of fragments tells nothing.
    const text = cutAtClause(passage, chosen.length === 0 ? Math.min(left, NEWS_SENTENCE.max) : NEWS_SENTENCE.max)
    if (text === null || text.length > left) continue
    chosen.push({ index, sentence: { text, quote: passage }, words })
    left -= text.length
  }
  return chosen.toSorted((a, b) => a.index - b.index).map(({ sentence }) => sentence)
}

/** The beginning of a sentence up to a clause, with … where something was left out; null when no beginning is short enough to tell something. */
function cutAtClause(passage: string, max: number): string | null {
  if (countGraphemes(passage) <= max) return passage
  const head = truncateGraphemes(passage, max - 1).replace(/…$/, '')
  const clause = Math.max(
    head.lastIndexOf('、'),
    head.lastIndexOf('，'),
    head.lastIndexOf('。'),
    head.lastIndexOf(', '),
  )
  const cut = clause >= Math.min(LENGTH_MIN, max / 2) ? head.slice(0, clause) : head
  return cut.length < SENTENCE_MIN ? null : `${cut.trimEnd()}…`
}

/** The article's title, else its first sentence, within the limits of titles; null when neither can be shown. */
function fitTitle(title: string, chosen: readonly SummarySentence[]): string | null {
  for (const text of [title, chosen[0]?.text ?? '']) {
    const fitted = truncateGraphemes(cleanLine(text.replace(/\s+/g, ' ')), TITLE.max - 1)
    if (findProblem(fitted, TITLE, 'line') === null) return fitted
  }
  return null
}
