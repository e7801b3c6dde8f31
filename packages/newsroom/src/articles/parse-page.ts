import { parseHTML } from 'linkedom'
import { NewsRefusal } from '../news-refusal.ts'
import { isElement, nextWithin, type Page, type PageNode } from './dom.ts'

/** A long page of a newspaper has some five thousand elements, twenty deep, with a dozen attributes each. */
const ELEMENTS_MAX = 20_000
/** With the texts and comments in between. */
const NODES_MAX = 50_000
const DEPTH_MAX = 150
const ATTRIBUTES_MAX = 500
const LENGTH_MAX = 6_000_000
/** Tags left open, as a quick look at the source sees them: it does not know which of them end by themselves. */
const OPEN_MAX = 3_000

/** Tags, with quoted values as a whole. */
const TAG = /<(\/?)([a-z][^\s>/]{0,40})((?:[^>"']|"[^"]*"|'[^']*')*)/gi
const ENDS_BY_ITSELF =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option)$/i
/** Tags that are longer have a value that is (a picture in it), or are full of attributes. */
const LONG_TAG = 5_000

function countAttributes(tag: string): number {
  return tag.length < LONG_TAG ? 0 : (tag.replace(/"[^"]*"|'[^']*'/g, '').match(/\s[^\s=]/g)?.length ?? 0)
}

/**
 * Looks over the source before it is parsed: parsing takes time by the square of how deep elements are nested and of how many attributes
 * they have.
 */
function checkSource(html: string): void {
  if (html.length > LENGTH_MAX) throw new NewsRefusal('too_large')
  let elements = 0
  let open = 0
  for (const [, closing, name = '', attributes = ''] of html.matchAll(TAG)) {
    if (closing === '') elements += 1
    if (!ENDS_BY_ITSELF.test(name)) open = Math.max(0, open + (closing === '' ? 1 : -1))
    // Twice as many as are let through below: scripts and comments have tags in them, too.
    if (elements > 2 * ELEMENTS_MAX) throw new NewsRefusal('too_large', 'the page has too many elements')
    if (open > OPEN_MAX) throw new NewsRefusal('no_text', 'the elements of the page are nested too deeply')
    if (countAttributes(attributes) > ATTRIBUTES_MAX)
      throw new NewsRefusal('too_large', 'an element has too many attributes')
  }
}

/**
 * The page within a frame of its own: many leave out html, head and body, as they may, and linkedom does not put them in. The page's
 * own become parts of the frame: html and body blocks like any others, with a mark to know them by.
 */
const frame = (html: string): string => {
  const inner = html
    .replace(/<!doctype[^>]{0,500}>/i, '')
    .replace(/<(\/?)head(?=[\s>])/gi, '<$1page-head')
    .replace(/<(html|body)(?=[\s>])/gi, '<div data-page-$1')
    .replace(/<\/(?:html|body)(?=[\s>])/gi, '</div')
  return `<!doctype html><html><head></head><body>${inner}</body></html>`
}

function depthOf(node: PageNode): number {
  let depth = 0
  for (let at = node.parentNode; at !== null; at = at.parentNode) depth += 1
  return depth
}

/** Refuses what no publisher writes, and what the steps after this one would be lost in. */
function checkSize(page: Page): void {
  let nodes = 0
  let elements = 0
  for (let node: PageNode | null = page.body; node !== null; node = nextWithin(node, page.body)) {
    nodes += 1
    if (isElement(node)) elements += 1
    if (elements > ELEMENTS_MAX || nodes > NODES_MAX)
      throw new NewsRefusal('too_large', 'the page has too many elements')
    // Only leaves: each way down from the top is measured once.
    if (node.firstChild === null && depthOf(node) > DEPTH_MAX) {
      throw new NewsRefusal('no_text', 'the elements of the page are nested too deeply')
    }
  }
}

/** Reads HTML. No script of it runs and nothing is fetched. */
export function parsePage(html: string): Page {
  checkSource(html)
  const { document }: { document: Page } = parseHTML(frame(html))
  checkSize(document)
  return document
}
