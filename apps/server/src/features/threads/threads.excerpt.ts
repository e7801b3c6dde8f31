import { EXCERPT_LENGTH } from '@shinobi/contract/limits'
import { truncateGraphemes } from '@shinobi/contract/text'

/** The first characters of an opening text, on one line, as lists show them. */
export const toExcerpt = (content: string): string =>
  truncateGraphemes(content.replace(/\s+/gu, ' ').trim(), EXCERPT_LENGTH)
