/** Follows redirects step by step, so that every step is checked like the first one. */
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'
import { NewsRefusal } from '../news-refusal.ts'
import { parseAddress, type Door } from './addresses.ts'
import type { Answer, Head } from './client.ts'

const STEPS_MAX = 5
const PERMANENT: ReadonlySet<number> = new Set([301, 308])
const REDIRECTS: ReadonlySet<number> = new Set([...PERMANENT, 302, 303, 307])

/** Whether an answer is a redirect. */
export const isRedirect = (head: Head): boolean => REDIRECTS.has(head.status)

export interface Arrived extends Answer {
  /** At least one redirect was followed, and all were permanent. */
  readonly isMoved: boolean
}

/**
 * Requests, and follows redirects.
 * @throws NewsRefusal redirects: too many, in a circle, without a target, or from https to http
 */
export async function follow(start: URL, door: Door, ask: (url: URL) => Promise<Answer>): Promise<Arrived> {
  const seen = new Set<string>()
  let isPermanent = true
  let url = start
  for (;;) {
    seen.add(url.href)
    const answer = await ask(url)
    if (!isRedirect(answer.head)) return { ...answer, isMoved: seen.size > 1 && isPermanent }
    isPermanent &&= PERMANENT.has(answer.head.status)
    url = nextStep(answer.head, door)
    if (seen.has(url.href)) throw new NewsRefusal('redirects', `${url.host}: redirects in a circle`)
    if (seen.size > STEPS_MAX) throw new NewsRefusal('redirects', `${url.host}: too many redirects`)
  }
}

/** The target of a redirect. */
export function nextStep({ url, values }: Head, door: Door): URL {
  const [location] = values('location')
  if (location === undefined) throw new NewsRefusal('redirects', `${url.host}: a redirect to nowhere`)
  // Some servers send Japanese addresses unescaped; headers are decoded as Latin-1.
  const next = parseAddress(Buffer.from(location, 'latin1').toString(), door, url)
  if (next.href.length > NEWS_URL_CHARACTERS)
    throw new NewsRefusal('redirects', `${url.host}: a redirect too long to keep`)
  // The article becomes a thread here, so what was requested over TLS must not be replaced by
  // somebody on the line.
  if (url.protocol === 'https:' && next.protocol === 'http:') {
    throw new NewsRefusal('redirects', `${url.host}: a redirect from https to http`)
  }
  return next
}
