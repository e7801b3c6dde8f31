/** What a page says about its use: whoever opts out, by whatever word, is not summarised. */
import { NewsRefusal } from '../news-refusal.ts'
import { QUOTE_MAX } from '../claims/quotes.ts'
import { OPT_OUTS } from '../outbound/opt-outs.ts'
import { refusesUsage, ROBOT_TOKEN } from '../outbound/robots.ts'
import type { Page } from './dom.ts'

/** Contents of meta elements by name. */
export type Metas = (...names: string[]) => string[]

/** A licence of Creative Commons without adaptations, of which a summary is one. */
const NO_DERIVATIVES = /creativecommons\.org\/licenses\/by(?:-nc)?-nd\b/iu

const directives = (metas: Metas): string[] =>
  metas('robots', ROBOT_TOKEN.toLowerCase()).flatMap((content) =>
    content
      .toLowerCase()
      .replace(/\s+/g, ' ')
      .replaceAll(' :', ':')
      .replaceAll(': ', ':')
      .split(/[,;\s]+/),
  )

/** A shorter snippet than our longest passage; -1 is no limit. */
function isShortSnippet(directive: string): boolean {
  const max = /^max-snippet:(\d{1,9})$/u.exec(directive)?.[1]
  return max !== undefined && Number(max) < QUOTE_MAX
}

/** What linked data (schema.org) say about the use of an article. */
export interface LinkedRights {
  /** False where readers must pay or log in. */
  readonly isFree: boolean
  readonly licence: string | null
}

/** @throws NewsRefusal opt_out */
export function checkOptOut(page: Page, metas: Metas, linked: LinkedRights | null): void {
  const refuse = (by: string): never => {
    throw new NewsRefusal('opt_out', by)
  }
  const robots = directives(metas).find((directive) => OPT_OUTS.page.has(directive) || isShortSnippet(directive))
  if (robots !== undefined) refuse(`robots meta: ${robots}`)
  if (metas('tdm-reservation').some((content) => content === '1')) refuse('tdm-reservation')
  if (metas('content-usage').some(refusesUsage)) refuse('content-usage')
  if (page.querySelector('script[type="application/rsl+xml"], link[rel~=license][type="application/rsl+xml"]') !== null)
    refuse('an RSL licence')
  const licences = [...page.querySelectorAll('link[rel~=license], a[rel~=license]')].map((one) =>
    one.getAttribute('href'),
  )
  if ([...licences, linked?.licence].some((licence) => NO_DERIVATIVES.test(licence ?? '')))
    refuse('a licence without derivatives')
  if (linked?.isFree === false) refuse('isAccessibleForFree: false')
}

export const mayShowPicture = (metas: Metas): boolean =>
  !directives(metas).some((directive) => OPT_OUTS.image.has(directive))
