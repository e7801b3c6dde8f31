/** What a page says about its use: whoever opts out, by whatever word, is not summarised. */
import { NewsRefusal } from '../news-refusal.ts'
import { isForbiddenByTag } from '../outbound/opt-outs.ts'
import { refusesUsage, ROBOT_TOKEN } from '../outbound/robots.ts'
import type { Page } from './dom.ts'

/** Contents of meta elements by name. */
export type Metas = (...names: string[]) => string[]

/** A licence of Creative Commons without adaptations, of which a summary is one. */
const NO_DERIVATIVES = /creativecommons\.org\/licenses\/by(?:-nc)?-nd\b/iu

const directives = (metas: Metas): string[] => metas('robots', ROBOT_TOKEN.toLowerCase())

/** What linked data (schema.org) say about the use of an article. */
export interface LinkedRights {
  /** False where readers must pay or log in. */
  readonly isFree: boolean
  readonly licences: readonly string[]
}

/** @throws NewsRefusal opt_out */
export function checkOptOut(page: Page, metas: Metas, linked: LinkedRights, now: number): void {
  const refuse = (by: string): never => {
    throw new NewsRefusal('opt_out', by)
  }
  if (isForbiddenByTag(directives(metas), 'page', now)) refuse(`robots meta: ${directives(metas).join().slice(0, 100)}`)
  if (metas('tdm-reservation').some((content) => content === '1')) refuse('tdm-reservation')
  if (metas('content-usage').some(refusesUsage)) refuse('content-usage')
  if (page.querySelector('script[type="application/rsl+xml"], link[rel~=license][type="application/rsl+xml"]') !== null)
    refuse('an RSL licence')
  const licences = [...page.querySelectorAll('link[rel~=license], a[rel~=license]')].map((one) =>
    one.getAttribute('href'),
  )
  if ([...licences, ...linked.licences].some((licence) => NO_DERIVATIVES.test(licence ?? '')))
    refuse('a licence without derivatives')
  if (!linked.isFree) refuse('isAccessibleForFree: false')
}

export const mayShowPicture = (metas: Metas, now: number): boolean => !isForbiddenByTag(directives(metas), 'image', now)
