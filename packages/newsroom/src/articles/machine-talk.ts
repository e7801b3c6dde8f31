/**
 * Finds sentences of an article that address a machine rather than readers: "ignore the previous
 * instructions", roles of a dialogue, encoded blobs. They are cut out before a language model reads
 * the article, and shown to administrators.
 * This is one of several layers. If a sentence gets through, the model's instructions say that the
 * article is material only, and the checker refuses statements that the article does not contain.
 * Sentences that report on such attacks, as news do, stay, also where they quote one.
 */
import { truncateGraphemes } from '@shinobi/contract/text'
import { INVISIBLE, unifyLookAlikes, unifyWidthAndCase } from '@shinobi/text/fold'
import { splitSentences } from '../claims/sentences.ts'
import { CHINESE_AND_KOREAN, JAPANESE, LATIN, LETTERS } from './machine-talk.forms.ts'

/** Limits of the list of cut passages: enough of each to judge it, and not too many. */
const SHOWN_LENGTH = 300
const SHOWN_MAX = 20

/**
 * Encoded data rather than a word of any language. Dots and colons end it, so addresses of pages do
 * not match.
 */
const BLOB = /[A-Za-z0-9+/_-]{80,}={0,2}|(?:[0-9a-fA-F]{2}[ :]?){60,}|(?:\\[ux][0-9a-fA-F]{2,6}){10,}/

const union = (sources: readonly string[]): RegExp =>
  new RegExp(sources.map((source) => `(?:${source})`).join('|'), 'u')
const WITHOUT_SPACES = union([...JAPANESE, ...CHINESE_AND_KOREAN])
const WITH_SPACES = union(LATIN)
const BY_LETTERS = union(LETTERS)

/** Characters of overlong text without sentence ends that the patterns look at. */
const JUDGED_LENGTH = 2_000

/** Marks that attackers put between letters. */
const STREWN = /[\s.\-_*/|~·・･]+/g

/**
 * Whether a sentence addresses a machine. Width, case, look-alikes and invisible letters make no
 * difference.
 */
export function speaksToMachine(sentence: string): boolean {
  const judged = sentence.slice(0, JUDGED_LENGTH)
  const visible = judged.replace(INVISIBLE, '')
  if (BLOB.test(visible)) return true
  const unified = unifyWidthAndCase(visible)
  const folded = unifyLookAlikes(unified)
  // An invisible character may stand within a word or between two.
  const parted = unifyLookAlikes(unifyWidthAndCase(judged.replace(INVISIBLE, ' ')))
  return (
    [folded.replace(/\s+/g, ''), folded.replace(STREWN, '')].some((text) => WITHOUT_SPACES.test(text)) ||
    // Russian loses its letters where look-alikes become Latin.
    [folded, parted, unified].some((text) => WITH_SPACES.test(text.replace(/\s+/g, ' ').trim())) ||
    BY_LETTERS.test(ownVoice(folded).replace(/[^a-z]+/g, ''))
  )
}

/** Without quotations, unless it consists of them: news quote such orders. */
function ownVoice(text: string): string {
  const own = text.replace(/「[^「」]*」|“[^“”]*”/g, ' ')
  return /\p{L}/u.test(own) ? own : text
}

/** Further requests directly after a cut sentence, which belong to the same instruction. */
const FURTHER_REQUEST =
  /(?:ください|下さい|しろ|せよ|なさい|すること|書け|るな|くれ)[。！!」』\s]*$|^[\p{Script=Latin}\p{N}\p{P}\p{Zs}\p{S}]+$/u

function cutLine(line: string, found: string[]): string {
  let kept = ''
  let within = false
  let read = 0
  for (const { text, end } of splitSentences(line)) {
    within = speaksToMachine(text) || (within && FURTHER_REQUEST.test(text))
    if (within) found.push(text)
    else kept += line.slice(read, end)
    read = end
  }
  return kept.trim()
}

/**
 * Splits a text (paragraphs, one per line) into the text without sentences that address a machine,
 * and these sentences.
 */
export function cutMachineTalk(text: string): { readonly text: string; readonly suspicious: readonly string[] } {
  const found: string[] = []
  const lines = text.split('\n').map((line) => cutLine(line, found))
  return {
    text: lines.filter((line) => line !== '').join('\n'),
    suspicious: [...new Set(found.map((passage) => truncateGraphemes(passage, SHOWN_LENGTH)))].slice(0, SHOWN_MAX),
  }
}
