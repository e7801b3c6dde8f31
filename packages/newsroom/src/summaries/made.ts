/** Fits a summary to the limits of a thread, whoever made it. */
import { POST, TITLE } from '@shinobi/contract/limits'
import { NEWS_SENTENCE } from '@shinobi/contract/staff-limits'
import { findProblem, truncateGraphemes } from '@shinobi/contract/text'
import type { StorySummary } from '../documents.ts'

/**
 * A summary before it is fitted; without sentences it is a headline. A missing title is taken from
 * the article.
 */
export type GivenSummary = Pick<StorySummary, 'sentences'> & Partial<StorySummary>

/**
 * A summary with a title within the board's limits; null when none can be made.
 * @param article provides the title where none is given or the given one is invalid; `site` is the
 * publisher
 */
export function fitSummary(
  article: { readonly title: string; readonly site: string | null },
  { title: given = '', sentences }: GivenSummary,
): StorySummary | null {
  const title = fitTitle(given) ?? fitTitle(article.title) ?? fitTitle(`${article.title} - ${article.site}`)
  const content = sentences.map(({ text }) => text).join('\n')
  const fits =
    sentences.every(({ text }) => findProblem(text, NEWS_SENTENCE, 'line') === null) &&
    (sentences.length === 0 || findProblem(content, POST, 'body') === null)
  return title === null || !fits ? null : { title, sentences }
}

/** A valid title; null when none can be made. */
export function fitTitle(text: string): string | null {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  // Leaves room for the ellipsis.
  const title = findProblem(line, TITLE, 'line') === 'too_long' ? truncateGraphemes(line, TITLE.max - 1) : line
  return findProblem(title, TITLE, 'line') === null ? title : null
}
