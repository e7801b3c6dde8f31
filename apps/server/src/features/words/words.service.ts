import type { WordAction } from '@shinobi/contract/words'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import { createWordMatcher, type Span, type WordMatcher } from '../../lib/word-matcher.ts'
import { selectRules } from './words.queries.ts'

/** What the word rules say about a text. */
export interface Verdict {
  /** The strongest action of all rules that found their word: block, hold, mask, flag; else pass. */
  readonly action: 'pass' | WordAction
  /** The word of the rule that decided, as the rule has it; null for pass. */
  readonly word: string | null
  /** The text with the words of masking rules struck out, whatever the action is. */
  readonly text: string
  /** A word whose rule shows the text to the moderators, whatever else is done with it; null without one. */
  readonly flagged: string | null
}

/** Tells whether a text holds a banned word, however it is written (width, kana, spacing, look-alikes: see lib/fold-for-filter.ts). */
export interface BannedWords {
  /** For names, which are neither held nor struck out: any rule refuses them but those that only flag. */
  isBanned(text: string): boolean
  /** For texts. Takes well under a millisecond, however many rules there are. */
  judge(text: string): Verdict
  /** Reads the words again at once: for tests that write them past the screen. Else db/revisions.ts sees to it. */
  reload(): Promise<void>
}

/** The strongest first. A rule's group in the matcher is its action's place here. */
const ACTIONS: readonly WordAction[] = ['block', 'hold', 'mask', 'flag']
const FLAG = ACTIONS.indexOf('flag')
const MASK = ACTIONS.indexOf('mask')

export async function followWords(db: Db, revisions: Revisions): Promise<BannedWords> {
  let matcher: WordMatcher = createWordMatcher([])
  async function reload(): Promise<void> {
    const rules = await selectRules(db)
    matcher = createWordMatcher(rules.map(({ action, ...rule }) => ({ ...rule, group: ACTIONS.indexOf(action) })))
  }
  await revisions.follow('words', reload)

  return {
    isBanned: (text) => matcher.survey(text).some((match, group) => match !== null && group !== FLAG),
    judge(text) {
      const found = matcher.survey(text)
      const strongest = found.findIndex((match) => match !== null)
      if (strongest < 0) return { action: 'pass', word: null, text, flagged: null }
      return {
        action: ACTIONS[strongest]!,
        word: found[strongest]!.first.word,
        text: strikeOut(text, found[MASK]?.spans ?? []),
        flagged: found[FLAG]?.first.word ?? null,
      }
    },
    reload,
  }
}

const graphemes = new Intl.Segmenter('ja', { granularity: 'grapheme' })
/** What belongs to the character before it and has no width: left alone it would sit on the mask. */
const REMAINS = /^[\p{M}\p{Cf}]+/u

const WIDTHLESS = /^[\p{M}\p{Cf}]+$/u

const maskOf = (grapheme: string): string => {
  if (grapheme === '\n') return grapheme
  return WIDTHLESS.test(grapheme) ? '' : '＊'
}

/** Puts ＊ in the place of each character of the spans, so that the text keeps its length and its lines. */
function strikeOut(text: string, spans: readonly Span[]): string {
  let struck = ''
  let at = 0
  for (const { start, end } of spans) {
    const masked = Array.from(graphemes.segment(text.slice(start, end)), ({ segment }) => maskOf(segment))
    struck += text.slice(at, start) + masked.join('')
    at = end + (REMAINS.exec(text.slice(end, end + 16))?.[0].length ?? 0)
  }
  return struck + text.slice(at)
}
