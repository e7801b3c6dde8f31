import { EXCERPT_LENGTH } from '@shinobi/contract/limits'
import { truncateGraphemes } from '@shinobi/contract/text'

/** The beginning of an opening text, on one line, for lists. */
export const toExcerpt = (content: string): string =>
  truncateGraphemes(content.replace(/\s+/gu, ' ').trim(), EXCERPT_LENGTH)
