/**
 * Long posts show their beginning and can be unfolded, so that one post does not push the others
 * away.
 */
const LONG_LINES = 30
const LONG_LENGTH = 2_000
/** Hardly any drawing has more; one in part says little. */
const LONG_ART_LINES = 60
/**
 * The visible part of a long post. Clearly less than the limits, so that unfolding always shows
 * substantially more.
 */
const HEAD_LINES = 20
const HEAD_LENGTH = 1_000

export interface FoldedText {
  readonly head: string
  /** The rest, or null for a post that is shown whole. */
  readonly rest: string | null
}

export function foldArt(text: string): FoldedText {
  const lines = text.split('\n')
  return lines.length > LONG_ART_LINES ? foldLines(text, lines) : { head: text, rest: null }
}

export function foldText(text: string): FoldedText {
  const lines = text.split('\n')
  if (lines.length <= LONG_LINES && text.length <= LONG_LENGTH) return { head: text, rest: null }
  const folded = foldLines(text, lines)
  if (folded.head.length <= LONG_LENGTH) return folded
  // One very long line: cut at the end of a sentence, else between two characters.
  const window = text.slice(0, HEAD_LENGTH)
  const sentence = Math.max(window.lastIndexOf('。'), window.lastIndexOf('\n'), window.lastIndexOf('！'))
  let cut = sentence > HEAD_LENGTH / 2 ? sentence + 1 : HEAD_LENGTH
  if (!text.slice(0, cut).isWellFormed()) cut -= 1
  return { head: text.slice(0, cut), rest: text.slice(cut) }
}

function foldLines(text: string, lines: readonly string[]): FoldedText {
  const head = lines.slice(0, HEAD_LINES).join('\n')
  return { head, rest: text.slice(head.length + 1) }
}
