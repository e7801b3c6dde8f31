/** What a page says about its use: whoever opts out, by whatever word, is not summarised. */
import { findOptOut, isForbiddenByTag } from '../outbound/opt-outs.ts'
import { ROBOT_TOKEN } from '../outbound/robots.ts'
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

/** By what a page opts out; null where it does not. */
export function findRefusal(page: Page, metas: Metas, linked: LinkedRights, now: number): string | null {
  const optOut = findOptOut(directives(metas), metas, 'page', now)
  if (optOut !== null) return optOut
  if (page.querySelector('script[type="application/rsl+xml"], link[rel~=license][type="application/rsl+xml"]') !== null)
    return 'an RSL licence'
  const links = [...page.querySelectorAll('link[rel~=license], a[rel~=license]')]
  const licences = [...links.map((link) => link.getAttribute('href') ?? ''), ...linked.licences]
  if (licences.some((licence) => NO_DERIVATIVES.test(licence))) return 'a licence without derivatives'
  return linked.isFree ? null : 'isAccessibleForFree: false'
}

export const mayShowPicture = (metas: Metas, now: number): boolean => !isForbiddenByTag(directives(metas), 'image', now)
