/** Addresses of articles: the same article is known by the same address, whichever way led to it. */
import { createHash } from 'node:crypto'
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'

/** Parameters that tell the publisher where a reader came from, and not what to show. */
const CAMPAIGN =
  /^(utm_.*|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|ttclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_openstat|at_medium|at_campaign|ns_campaign|ns_mchannel|cmpid|ocid|n_cid|iref)$/i

/** An address without its fragment and campaign parameters. All else stays as it is, in its order: it may be what names the article. */
export function plainUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const plain = new URL(url)
  plain.hash = ''
  // By hand: URLSearchParams would write the others anew, and some publishers only know their own spelling.
  const kept = plain.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !CAMPAIGN.test(pair.split('=', 1)[0] ?? ''))
  plain.search = kept.join('&')
  return plain.href
}

/** What an article is known by: SHA-256 of its plain address. http and https lead to the same article. */
export const hashUrl = (url: string): string =>
  createHash('sha256')
    .update(plainUrl(url).replace(/^http:/, 'https:'))
    .digest('hex')

/** An address that a page or feed gives, made absolute; null unless it is one of the web, without a password, and of usual length. */
export function webUrl(address: string | null | undefined, base: string): string | null {
  const written = address?.trim() ?? ''
  if (written === '' || written.length > NEWS_URL_CHARACTERS || !URL.canParse(written, base)) return null
  const url = new URL(written, base)
  const ofTheWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return ofTheWeb && url.username === '' && url.password === '' && url.href.length <= NEWS_URL_CHARACTERS
    ? url.href
    : null
}
