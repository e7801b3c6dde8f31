/** What a publisher has changed in an article since it was summarised. */
import { truncateGraphemes } from '@shinobi/contract/text'
import { readNumbers } from '../claims/numbers.ts'
import { splitSentences } from '../claims/sentences.ts'
import { dropQuotations, foldFacts, foldQuote } from '../claims/text.ts'

/** An article as it was summarised, or as it is now. */
export interface ArticleText {
  readonly title: string
  readonly text: string
}

export interface ArticleChanges {
  /**
   * `corrected`: the article says so itself. `stale`: its title, a number, or what the summary
   * quotes has changed.
   */
  readonly kind: 'corrected' | 'stale'
  /** The changes in short Japanese sentences, for administrators. */
  readonly told: readonly string[]
}

/**
 * A correction or retraction in the voice of the newspaper, outside of quotations: news report on
 * corrected plans and on apologies, too.
 */
const CORRECTION = new RegExp(
  [
    // 【訂正】, (24日訂正:…), 訂正しておわびします
    '(?:^|[【\\[<〈《(*※■◆])(?:\\d+月)?(?:\\d+日)?(?:おわび|お詫び)?[とし・]?て?(?:訂正|修正)(?:とお(?:わび|詫び)|しました|します|いたします|しておわび|してお詫び|版)?(?:[】\\]>〉》):。]|$)',
    '(?:^|[【\\[<〈《(*※■◆])(?:おわび|お詫び)(?:します|いたします)?(?:[】\\]>〉》):。]|$)',
    '訂正(?:します|いたします|(?:し|いたし)、?て?(?:おわび|お詫び)(?:し|いたし|申し上げ))',
    '(?:記事|見出し|本文|初出|配信|^(?:写真|表記|図表?|グラフ))[^。]{0,30}(?:(?:訂正|修正|削除|取消|撤回)(?:し|いたし)|取り消し(?:いたし)?|差し替え)(?:まし[たて]|ます)',
    '(?:記事|見出し|本文|初出|配信|表記|記述|当初|とした|とある)[^。]{0,30}(?:誤り|間違い)(?:です|でした|がありました|があった)',
    '正しくは[^。]{0,100}で(?:す|した)',
    '^[^a-z]*(?:correction|retraction)\\b|\\b(?:article|story|report|version) (?:has been|was) (?:corrected|retracted)|\\ban earlier version of this\\b',
  ].join('|'),
  'u',
)
/** A line that is only a time or a counter, which change without the article. */
const IS_STAMP =
  /^(?:\P{L}|更新|配信|公開|掲載|投稿|最終|日時|前|コメント|いいね|閲覧|シェア|ポスト|views?|comments?|posted|updated)*$/u
/** Changes of one kind that are told. */
const TOLD = 3
/** Characters of a passage that is told. */
const TOLD_CHARACTERS = 60

/** Null where nothing that matters has changed: articles grow, and their spelling is polished. */
export function findChanges(before: ArticleText, now: ArticleText, quotes: readonly string[]): ArticleChanges | null {
  const corrections = findCorrections(before, now)
  const told = [
    ...corrections,
    ...findNewTitle(before, now),
    ...findNewNumbers(before.text, now.text),
    ...findLost(now, quotes),
  ]
  if (told.length === 0) return null
  return { kind: corrections.length > 0 ? 'corrected' : 'stale', told }
}

function findCorrections(before: ArticleText, now: ArticleText): string[] {
  const known = foldQuote(`${before.title}\n${before.text}`)
  return [now.title, ...sentencesOf(now.text)]
    .filter((sentence) => CORRECTION.test(dropQuotations(foldFacts(sentence))) && !known.includes(foldQuote(sentence)))
    .slice(0, TOLD)
    .map((sentence) => `元記事に訂正の言葉があります（「${cut(sentence)}」）。`)
}

const findNewTitle = (before: ArticleText, now: ArticleText): string[] =>
  foldQuote(before.title) === foldQuote(now.title)
    ? []
    : [`元記事の見出しが変わりました（「${cut(before.title)}」→「${cut(now.title)}」）。`]

/** Sentences that are the same but for a number; several of before may be, too. */
function findNewNumbers(before: string, now: string): string[] {
  const kept = Map.groupBy(sentencesOf(before), withoutNumbers)
  const figures = new Map(Array.from(kept, ([rest, sentences]) => [rest, new Set(sentences.map(figuresOf))]))
  return sentencesOf(now)
    .flatMap((sentence) => {
      const rest = withoutNumbers(sentence)
      const [old] = kept.get(rest) ?? []
      if (old === undefined || IS_STAMP.test(rest) || figures.get(rest)!.has(figuresOf(sentence))) return []
      return [`元記事の数が変わりました（「${cut(old)}」→「${cut(sentence)}」）。`]
    })
    .slice(0, TOLD)
}

const figuresOf = (sentence: string): string =>
  readNumbers(foldFacts(sentence))
    .map(({ values, unit }) => `${values.join('|')}${unit}`)
    .join()

function withoutNumbers(sentence: string): string {
  const folded = foldFacts(sentence)
  return readNumbers(folded).reduceRight(
    (text, { start, end }) => `${text.slice(0, start)}＿${text.slice(end)}`,
    folded,
  )
}

const findLost = ({ text }: ArticleText, quotes: readonly string[]): string[] => {
  const folded = foldQuote(text)
  return quotes
    .filter((quote) => !folded.includes(foldQuote(quote)))
    .slice(0, TOLD)
    .map((quote) => `要約が引いた文が、元記事からなくなりました（「${cut(quote)}」）。`)
}

const sentencesOf = (text: string): string[] => splitSentences(text).map((sentence) => sentence.text)
const cut = (text: string): string => truncateGraphemes(text, TOLD_CHARACTERS)
