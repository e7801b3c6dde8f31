/** What another app shares with the installed board: site.webmanifest leads it to /create. */
import { POST, TITLE, type TextLimit } from '@shinobi/contract/limits'
import { cleanBody, cleanLine, countBytes, truncateGraphemes } from '@shinobi/contract/text'

export interface SharedText {
  readonly title: string
  readonly content: string
}

/** Cuts a text of any length, so that the form accepts it. */
function cut(text: string, { max, maxBytes }: TextLimit): string {
  // The sign for the cut is a character too.
  let left = truncateGraphemes(text.slice(0, maxBytes), max - 1)
  while (countBytes(left) > maxBytes) left = left.slice(0, Math.floor(left.length * 0.9))
  // A cut may have halved a pair of surrogates.
  return left.toWellFormed().replace(/\ufffd$/, '')
}

/** Title and content of a thread from the parameters of a shared page; null without any. */
export function readShared(parameters: URLSearchParams): SharedText | null {
  const title = cut(cleanLine(parameters.get('title') ?? ''), TITLE)
  const text = cleanBody(parameters.get('text') ?? '')
  const url = cleanLine(parameters.get('url') ?? '')
  // Many apps put the address into the text.
  const lines = [text, text.includes(url) ? '' : url].filter((line) => line !== '')
  const content = cut(lines.join('\n'), POST)
  return title === '' && content === '' ? null : { title, content }
}

/** Adds what was shared to a draft, of which nothing is lost. */
export function addShared(draft: SharedText, shared: SharedText): SharedText {
  const isTitled = draft.title !== '' && draft.title !== shared.title
  const parts = [draft.content, isTitled ? shared.title : '', shared.content]
  const lines = parts.filter((part, place) => part !== '' && (place === 0 || !draft.content.includes(part)))
  return { title: isTitled ? draft.title : shared.title, content: lines.join('\n') }
}
