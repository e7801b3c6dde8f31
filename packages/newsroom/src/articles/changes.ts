/** What a publisher has changed in an article since it was summarised. */
import { readNumbers } from '../claims/numbers.ts'
import { splitSentences } from '../claims/sentences.ts'
import { foldFacts, foldQuote } from '../claims/text.ts'

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

/** A correction, an apology for an error, a retraction. */
const CORRECTION =
  /(?:【|^|[（(＊*※■])\s*(?:訂正|おわび|お詫び|修正)|訂正(?:します|しました|いたします|版|前)|(?:記事|見出し|本文|写真|表記)[^。]{0,30}(?:訂正|修正|削除|取り消|取消|差し替え)|(?:誤り|間違い)(?:でした|がありました|があった)|正しくは|(?:お詫び|おわび)(?:して|し|いたし|申し上げ)|記事を(?:取り消|取消|撤回)|\b(?:correction|corrected|retract(?:ed|ion)|an earlier version)\b/iu
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
    .filter((sentence) => CORRECTION.test(sentence) && !known.includes(foldQuote(sentence)))
    .slice(0, TOLD)
    .map((sentence) => `元記事に訂正の言葉があります（「${cut(sentence)}」）。`)
}

const findNewTitle = (before: ArticleText, now: ArticleText): string[] =>
  foldQuote(before.title) === foldQuote(now.title)
    ? []
    : [`元記事の見出しが変わりました（「${cut(before.title)}」→「${cut(now.title)}」）。`]

/** Sentences that are the same but for a number. */
function findNewNumbers(before: string, now: string): string[] {
  const kept = new Map(sentencesOf(before).map((sentence) => [withoutNumbers(sentence), sentence]))
  return sentencesOf(now)
    .flatMap((sentence) => {
      const old = kept.get(withoutNumbers(sentence))
      if (old === undefined || figuresOf(old) === figuresOf(sentence)) return []
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
const cut = (text: string): string =>
  text.length > TOLD_CHARACTERS ? `${text.slice(0, TOLD_CHARACTERS).toWellFormed()}…` : text
