/**
 * Word rules, and which of them a text breaks. What follows from it, a refusal or a hold, is
 * decided in admission.service.ts.
 */
import { splitGraphemes } from '@shinobi/contract/text'
import type { WordAction } from '@shinobi/contract/words'
import type { Db } from '../../db/client.ts'
import type { Revisions } from '../../db/revisions.ts'
import { createWordMatcher, type Span, type WordMatcher } from './word-matcher.ts'
import { selectRules } from './words.queries.ts'

/** The result of the word rules for a text. */
export interface Verdict {
  /** The strongest action of all matching rules: block, hold, mask, flag; else pass. */
  readonly action: 'pass' | WordAction
  /** The word of the deciding rule, as written there; null for pass. */
  readonly word: string | null
  /** The text with the words of masking rules replaced, whatever the action is. */
  readonly text: string
  /**
   * A word of a flagging rule, which reports the text to the moderators whatever the action is;
   * null without one.
   */
  readonly flagged: string | null
}

/** A committed post with a word of a flagging rule. */
export interface FlaggedPost {
  readonly threadId: string
  readonly postId: string
  readonly word: string
}

/**
 * Finds banned words in texts in any spelling (width, kana, spacing, look-alikes: see
 * fold-for-filter.ts).
 */
export interface BannedWords {
  /**
   * For names, which can be neither held nor masked: all rules except flagging ones refuse them.
   */
  isBanned(text: string): boolean
  /**
   * For texts. Takes well under a millisecond, whatever the number of rules. admission.service.ts
   * refuses, holds or masks accordingly.
   */
  judge(text: string): Verdict
  /** Call it after the commit of a post whose verdict was `flagged`. */
  flagPost(flagged: FlaggedPost): void
  /** Calls a listener for each flagged post. */
  onFlag(listener: (flagged: FlaggedPost) => void): void
  /**
   * Reloads the words at once: for tests that write them directly to the database. Otherwise
   * db/revisions.ts triggers it.
   */
  reload(): Promise<void>
}

/** Strongest first. The group of a rule in the matcher is the index of its action. */
const ACTIONS: readonly WordAction[] = ['block', 'hold', 'mask', 'flag']
const FLAG = ACTIONS.indexOf('flag')
const MASK = ACTIONS.indexOf('mask')

export async function followBannedWords(db: Db, revisions: Revisions): Promise<BannedWords> {
  let matcher: WordMatcher = createWordMatcher([])
  async function reload(): Promise<void> {
    const rules = await selectRules(db)
    matcher = createWordMatcher(rules.map(({ action, ...rule }) => ({ ...rule, group: ACTIONS.indexOf(action) })))
  }
  await revisions.follow('words', reload)
  const flagListeners: ((flagged: FlaggedPost) => void)[] = []

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
    flagPost(flagged) {
      for (const listener of flagListeners) listener(flagged)
    },
    onFlag: (listener) => void flagListeners.push(listener),
    reload,
  }
}

/**
 * Characters without width that belong to the preceding one: left over, they would combine with the
 * mask.
 */
const REMAINS = /^[\p{M}\p{Cf}]+/u

const WIDTHLESS = /^[\p{M}\p{Cf}]+$/u

const maskOf = (grapheme: string): string => {
  if (grapheme === '\n') return grapheme
  return WIDTHLESS.test(grapheme) ? '' : '＊'
}

/** Replaces each character of the spans by ＊, and keeps line breaks. */
function strikeOut(text: string, spans: readonly Span[]): string {
  let struck = ''
  let at = 0
  for (const { start, end } of spans) {
    const masked = Array.from(splitGraphemes(text.slice(start, end)), ({ segment }) => maskOf(segment))
    struck += text.slice(at, start) + masked.join('')
    at = end + (REMAINS.exec(text.slice(end, end + 16))?.[0].length ?? 0)
  }
  return struck + text.slice(at)
}
