/**
 * Normalises the addresses of articles, so that an article is recognised however it was reached.
 */
import { hash } from 'node:crypto'
import { NEWS_URL_CHARACTERS } from '@shinobi/contract/limits'

/** Parameters that only tell the publisher where a reader came from. */
const CAMPAIGN =
  /^(utm_.*|fbclid|gclid|gclsrc|dclid|gbraid|wbraid|msclkid|yclid|ttclid|twclid|igshid|mc_cid|mc_eid|_ga|_gl|_openstat|at_medium|at_campaign|ns_campaign|ns_mchannel|cmpid|ocid|n_cid|iref)$/i

/**
 * An address without its fragment and campaign parameters. Everything else keeps its form and
 * order, because it may identify the article.
 */
export function plainUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const plain = new URL(url)
  plain.hash = ''
  // Without URLSearchParams, which would re-encode the other parameters; some publishers accept
  // only their own spelling.
  plain.search = withoutParameters(plain.search, (name) => CAMPAIGN.test(name))
  return plain.href
}

const withoutParameters = (search: string, isSuch: (name: string) => boolean): string =>
  search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isSuch(pair.split('=', 1)[0]!))
    .join('&')

/** The key of articles that were found before variants of an address had one key (until 0.2). */
export const hashPlainUrl = (url: string): string => hash('sha256', plainUrl(url).replace(/^http:/, 'https:'))

/** Hosts of the same pages for other screens. */
const SCREEN_HOST = /^(?:www\d?|m|sp|mobile|amp)\.(?=[^.]+\.[^.]+)/u
/** Parts of a path for the AMP form of a page. */
const AMP_PATH = /^\/amp(?=\/.)|\/amp$|\.amp(?=\.html?$|$)/gu
/** Parameters for a page of an article, its form, or where a reader came from. */
const VARIANT = /^(?:page|ref|amp|outputtype)$/iu

/**
 * The form of an address that the variants of a page share: with or without encryption, www, the
 * host for phones, AMP, a closing slash, pages of one article. It is a key, and may lead nowhere.
 */
function toKey(url: string): string {
  const plain = plainUrl(url)
  if (!URL.canParse(plain)) return plain
  const { host, pathname, search } = new URL(plain)
  const path = pathname.replace(/\/(?:index\.html?)?$/u, '').replaceAll(AMP_PATH, '')
  // The front page is told by its parameters alone.
  const isFront = path === ''
  const kept = withoutParameters(search, (name) => !isFront && VARIANT.test(name))
  return `${host.replace(SCREEN_HOST, '')}${path}?${kept}`
}

/** The key of an article: SHA-256 of what all variants of its address share. */
export const hashUrl = (url: string): string => hash('sha256', toKey(url))

/**
 * The absolute form of an address in a page or feed; null unless it is a web address without a
 * password and of usual length.
 */
export function webUrl(address: string | null | undefined, base: string): string | null {
  const written = address?.trim() ?? ''
  if (written === '' || written.length > NEWS_URL_CHARACTERS || !URL.canParse(written, base)) return null
  const url = new URL(written, base)
  const ofTheWeb = url.protocol === 'https:' || url.protocol === 'http:'
  return ofTheWeb && url.username === '' && url.password === '' && url.href.length <= NEWS_URL_CHARACTERS
    ? url.href
    : null
}
