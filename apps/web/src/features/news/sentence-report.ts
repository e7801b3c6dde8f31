/** Characters of the sentence in a report about it; the reason has place behind it. */
const SENTENCE_MAX = 120
const shortened = (text: string): string =>
  text.length > SENTENCE_MAX ? `${text.slice(0, SENTENCE_MAX - 1).toWellFormed()}…` : text

/** The first words of a report about one sentence of a summary: they name the sentence. */
export const beginSentenceReport = (begun: string, text: string): string =>
  `${begun.replace(/: $/, '')}「${shortened(text)}」: `

/** Whether a report is about this sentence. */
export const isSentenceReport = (reason: string, text: string): boolean => reason.includes(`「${shortened(text)}」`)
