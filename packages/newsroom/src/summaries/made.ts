/** What a summary has to be to become a thread, whoever made it. */
import { NEWS_SENTENCE, POST, TITLE } from '@shinobi/contract/limits'
import { findProblem, truncateGraphemes } from '@shinobi/contract/text'
import type { StorySummary } from '../documents.ts'

/** What a summary is made of; without sentences it is a headline. Titles that are missing are taken from the article. */
export type GivenSummary = Pick<StorySummary, 'sentences'> & Partial<StorySummary>

/**
 * A summary as the board takes it, with a title within its limits; null when nothing can be made of it.
 * @param article whose title is taken where none is given, or none that can be shown; `site` names who wrote it
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

/** A title as the board takes it; null when nothing can be made of it. */
function fitTitle(text: string): string | null {
  const line = text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, '')
    .trim()
  // Room for the … that tells of the cut.
  const title = findProblem(line, TITLE, 'line') === 'too_long' ? truncateGraphemes(line, TITLE.max - 1) : line
  return findProblem(title, TITLE, 'line') === null ? title : null
}
