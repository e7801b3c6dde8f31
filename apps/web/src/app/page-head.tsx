/**
 * Title, description, canonical address, Open Graph and JSON-LD of a page: exactly one `<PageHead>`
 * per page. React would leave hoisted tags inside #root when rendering without <html>, so the
 * server collects them through a context and the browser replaces them as a set.
 */
import type { SiteInfo } from '@shinobi/contract/site'
import { createContext, use, useEffect } from 'react'
import { useSite } from './site-context.tsx'

export const SITE_NAME = '忍板'

export interface PageMeta {
  /** Without the board's name, which is appended; the empty string gives the board's name alone. */
  title: string
  description: string
  /** Canonical path with its query, from `paths`. */
  path: string
  /** Path of the picture for previews of shared links, 1200 by 630; by default the board's card. */
  card?: string
  type?: 'website' | 'article'
  /** schema.org data, without `@context`. */
  jsonLd?: Record<string, unknown> | null
  /** For pages that are useless in a search engine: results, errors, forms. */
  noindex?: boolean
}

/** Name, attributes, text. */
type HeadTag = readonly [name: string, attributes: Readonly<Record<string, string>>, text?: string]

const SOCIAL_CARD = '/og.png'

function headTags(meta: PageMeta, site: SiteInfo): HeadTag[] {
  const title = meta.title === '' ? `${SITE_NAME} | 匿名で語れる忍びの掲示板` : `${meta.title} | ${SITE_NAME}`
  const url = site.publicUrl + meta.path
  const property = (name: string, content: string): HeadTag => ['meta', { property: name, content }]
  const tags: HeadTag[] = [
    ['title', {}, title],
    ['meta', { name: 'description', content: meta.description }],
    ['link', { rel: 'canonical', href: url }],
    property('og:site_name', SITE_NAME),
    property('og:locale', 'ja_JP'),
    property('og:type', meta.type ?? 'website'),
    property('og:title', meta.title === '' ? SITE_NAME : meta.title),
    property('og:description', meta.description),
    property('og:url', url),
    property('og:image', site.publicUrl + (meta.card ?? SOCIAL_CARD)),
    // With its size a preview of the first share shows the card before it is loaded.
    property('og:image:width', '1200'),
    property('og:image:height', '630'),
    property('og:image:alt', meta.card === undefined ? SITE_NAME : title),
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ]
  if (meta.noindex === true) tags.push(['meta', { name: 'robots', content: 'noindex,follow' }])
  if (meta.jsonLd != null) {
    const json = JSON.stringify({ '@context': 'https://schema.org', ...meta.jsonLd })
    tags.push(['script', { type: 'application/ld+json' }, json])
  }
  return tags
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * The tags as HTML. The HTML parser treats JSON-LD as raw text, so only `<` has to be escaped in
 * it.
 */
export function renderHead(meta: PageMeta, site: SiteInfo): string {
  return headTags(meta, site)
    .map(([name, attributes, text]) => {
      const list = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeHtml(value)}"`)
      const open = `<${name}${list.join('')} data-head="">`
      if (text === undefined) return open
      return `${open}${name === 'script' ? text.replaceAll('<', '\\u003c') : escapeHtml(text)}</${name}>`
    })
    .join('')
}

/** Provided on the server only: receives the metadata of the page. */
export const HeadCollector = createContext<((meta: PageMeta) => void) | null>(null)

let applied: string | null = null

function applyHead(meta: PageMeta, site: SiteInfo): void {
  const html = renderHead(meta, site)
  if (html === applied) return
  const present = document.head.querySelectorAll('[data-head]')
  const hydrating = applied === null && present.length > 0
  applied = html
  if (hydrating) return
  const elements = headTags(meta, site).map(([name, attributes, text]) => {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.setAttribute('data-head', '')
    if (text !== undefined) element.textContent = text
    return element
  })
  for (const element of present) element.remove()
  document.head.append(...elements)
  plainTitle = document.title
  showCount()
}

/** The title of the page without a count, once a count was shown or the tags were replaced. */
let plainTitle: string | null = null
const counts = new Map<string, number>()

function showCount(): void {
  plainTitle ??= document.title
  let sum = 0
  for (const count of counts.values()) sum += count
  document.title = sum === 0 ? plainTitle : `(${sum}) ${plainTitle}`
}

/** Shows how much is new before the title of the tab: the sum over what is counted. */
export function useTitleCount(counted: 'posts' | 'alerts', number: number): void {
  useEffect(() => {
    counts.set(counted, number)
    showCount()
    return () => {
      counts.delete(counted)
      showCount()
    }
  }, [counted, number])
}

export function PageHead(meta: PageMeta) {
  const site = useSite()
  use(HeadCollector)?.(meta)
  useEffect(() => applyHead(meta, site))
  return null
}
