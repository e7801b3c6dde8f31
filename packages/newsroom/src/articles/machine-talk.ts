/**
 * Sentences of an article that speak to a machine rather than to readers: "ignore the previous instructions", roles of a dialogue,
 * encoded blobs. They are cut out before a language model reads the article, and shown to administrators.
 * This is one of several layers: what slips through still meets a model that is told to take the article as material, and a checker
 * that refuses what does not stand in it. What only tells about such attacks, as news do, stays.
 */
import { INVISIBLE, unifyLookAlikes, unifyWidthAndCase } from '@shinobi/text/fold'
import { CHINESE_AND_KOREAN, EUROPEAN, JAPANESE, LATIN, LETTERS, RUSSIAN } from './machine-talk.phrases.ts'

/** What was cut is shown in lists: enough of each to judge, and of not too many. */
const SHOWN_LENGTH = 300
const SHOWN_MAX = 20

/** No word of any language: encoded data. Addresses of pages have dots and colons, which end it. */
const BLOB = /[A-Za-z0-9+/_-]{80,}={0,2}|(?:[0-9a-fA-F]{2}[ :]?){60,}|(?:\\[ux][0-9a-fA-F]{2,6}){10,}/

const union = (sources: readonly string[]): RegExp =>
  new RegExp(sources.map((source) => `(?:${source})`).join('|'), 'u')
const WITHOUT_SPACES = union([...JAPANESE, ...CHINESE_AND_KOREAN])
const WITH_SPACES = union([...LATIN, ...EUROPEAN])
const IN_RUSSIAN = union(RUSSIAN)
const BY_LETTERS = union(LETTERS)

/** Patterns look at the beginning of what is no sentence at all. */
const JUDGED_LENGTH = 2_000

/** Marks that are strewn between letters to get past. */
const STREWN = /[\s.\-_*/|~·・･]+/g

/** Whether a sentence speaks to a machine, however it is written: width, case, look-alikes and invisible letters make no difference. */
export function speaksToMachine(sentence: string): boolean {
  const judged = sentence.slice(0, JUDGED_LENGTH)
  const visible = judged.replace(INVISIBLE, '')
  if (BLOB.test(visible)) return true
  const unified = unifyWidthAndCase(visible)
  const folded = unifyLookAlikes(unified)
  // What is not seen may stand in a word, or between two.
  const parted = unifyLookAlikes(unifyWidthAndCase(judged.replace(INVISIBLE, ' ')))
  return (
    [folded.replace(/\s+/g, ''), folded.replace(STREWN, '')].some((text) => WITHOUT_SPACES.test(text)) ||
    [folded, parted].some((text) => WITH_SPACES.test(text.replace(/\s+/g, ' ').trim())) ||
    BY_LETTERS.test(folded.replace(/[^a-z]+/g, '')) ||
    IN_RUSSIAN.test(unified.replace(/\s+/g, ' ').trim())
  )
}

/** Sentences with what follows them up to the next, so that they make up the line again. English ones end before a space. */
const SENTENCE = /[^。！？!?.]*(?:[。！？!?]+[」』）)"”]*|\.(?=\s|$)["”)]*|\.|$)\s*/gu

/** 3.5 and U.S. are no ends: a point ends a sentence only before a space. */
function splitSentences(line: string): string[] {
  const sentences: string[] = []
  let open = ''
  for (const [piece] of line.matchAll(SENTENCE)) {
    open += piece
    if (/[。！？!?][」』）)"”]*\s*$|\.["”)]*\s+$/.test(piece)) {
      sentences.push(open)
      open = ''
    }
  }
  return open === '' ? sentences : [...sentences, open]
}

/** What else is asked for after a sentence that was cut: it belongs to the same talk. */
const FURTHER_REQUEST =
  /(?:ください|下さい|しろ|せよ|なさい|すること|書け|るな|くれ)[。！!」』\s]*$|^[\p{Script=Latin}\p{N}\p{P}\p{Zs}\p{S}]+$/u

function cutLine(line: string, found: string[]): string {
  let kept = ''
  let within = false
  for (const sentence of splitSentences(line)) {
    within = speaksToMachine(sentence) || (within && FURTHER_REQUEST.test(sentence.trim()))
    if (within) found.push(sentence.trim())
    else kept += sentence
  }
  return kept.trim()
}

const shorten = (passage: string): string =>
  passage.length > SHOWN_LENGTH ? `${passage.slice(0, SHOWN_LENGTH).toWellFormed()}…` : passage

/** A text (paragraphs, one a line) without the sentences that speak to a machine, and those. */
export function cutMachineTalk(text: string): { readonly text: string; readonly suspicious: readonly string[] } {
  const found: string[] = []
  const lines = text.split('\n').map((line) => cutLine(line, found))
  return {
    text: lines.filter((line) => line !== '').join('\n'),
    suspicious: [...new Set(found.filter((passage) => passage !== '').map(shorten))].slice(0, SHOWN_MAX),
  }
}
