/** Splits Japanese or English text into sentences. */

/** A sentence: `text.slice(start, end)`, without the spaces around it. */
export interface Sentence {
  readonly text: string
  readonly start: number
  readonly end: number
}

/** Opening brackets of passages that belong to one sentence, with their closing brackets. */
const PAIRS: ReadonlyMap<string, string> = new Map(
  ['「」', '『』', '（）', '()', '〈〉', '《》', '“”', '【】'].map((pair) => [pair.charAt(0), pair.charAt(1)] as const),
)
const CLOSERS = new Set([...PAIRS.values(), '"', "'", '’'])
/** Characters that end a sentence wherever they stand. */
const FULL_STOPS = new Set(['。', '｡', '！', '？'])
const LINE = /[^\n\r\u2028\u2029]+/g
const LATIN_OR_DIGIT = /[A-Za-z0-9]/
/** After these a full stop is part of the word. */
const ABBREVIATION =
  /(?:^|[^A-Za-z])(?:[A-Za-z]|Mr|Mrs|Ms|Dr|St|Jr|Sr|vs|No|Inc|Co|Ltd|Corp|Gen|Sen|Rep|Gov|Prof|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)$/

/**
 * Splits at 。！？ and line ends, and at . ! ? where they end a sentence (not in 3.5, U.S. or
 * Yahoo!ニュース). Text in brackets is not split; a bracket that is not closed on its line is ignored.
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const { 0: line, index } of text.matchAll(LINE)) splitLine(text, index, index + line.length, sentences)
  return sentences
}

function splitLine(text: string, from: number, to: number, sentences: Sentence[]): void {
  const closedAt = matchBrackets(text, from, to)
  let start = from
  for (let at = from; at < to; at += 1) {
    const close = closedAt.get(at)
    if (close !== undefined) at = close
    else if (endsSentence(text, at, to)) {
      let end = at + 1
      while (end < to && (FULL_STOPS.has(text[end]!) || '!?'.includes(text[end]!) || CLOSERS.has(text[end]!))) end += 1
      addSentence(text, start, end, sentences)
      start = end
      at = end - 1
    }
  }
  addSentence(text, start, to, sentences)
}

/** The outermost closed brackets of a line: start and end of each. */
function matchBrackets(text: string, from: number, to: number): Map<number, number> {
  const open: { readonly at: number; readonly closer: string }[] = []
  const closedAt = new Map<number, number>()
  for (let at = from; at < to; at += 1) {
    const closer = PAIRS.get(text[at]!)
    if (closer !== undefined) open.push({ at, closer })
    else if (open.length > 0 && open.at(-1)!.closer === text[at]) closedAt.set(open.pop()!.at, at)
  }
  return closedAt
}

function endsSentence(text: string, at: number, to: number): boolean {
  const char = text[at]!
  if (FULL_STOPS.has(char)) return true
  if (char !== '.' && char !== '!' && char !== '?' && char !== '．') return false
  let next = at + 1
  while (next < to && CLOSERS.has(text[next]!)) next += 1
  const before = at > 0 ? text[at - 1]! : ''
  const standsApart = next >= to || /\s/.test(text[next]!)
  if (char === '．') return !/[0-9０-９]/.test(text[next] ?? '')
  if (char !== '.') return standsApart || !LATIN_OR_DIGIT.test(before)
  return standsApart && !ABBREVIATION.test(text.slice(Math.max(0, at - 6), at))
}

function addSentence(text: string, from: number, to: number, sentences: Sentence[]): void {
  const raw = text.slice(from, to)
  const trimmed = raw.trim()
  if (trimmed === '') return
  const start = from + raw.indexOf(trimmed)
  sentences.push({ text: trimmed, start, end: start + trimmed.length })
}
