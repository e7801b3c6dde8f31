import { parseHTML } from 'linkedom'
import { NewsRefusal } from '../news-refusal.ts'
import { isElement, type Page, type PageNode } from './dom.ts'

/**
 * A long newspaper page has about five thousand elements, twenty deep, with a dozen attributes
 * each.
 */
const ELEMENTS_MAX = 20_000
/** Elements, texts and comments together. */
const NODES_MAX = 50_000
const DEPTH_MAX = 150
const ATTRIBUTES_MAX = 500
const LENGTH_MAX = 6_000_000
/**
 * Maximum open tags in a quick scan of the source, which does not know which elements close by
 * themselves.
 */
const OPEN_MAX = 3_000

/** Tags, including quoted values. */
const TAG = /<(\/?)([a-z][^\s>/]{0,40})((?:[^>"']|"[^"]*"|'[^']*')*)/gi
const ENDS_BY_ITSELF =
  /^(?:area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr|p|li|dt|dd|tr|td|th|option)$/i
/** A longer tag has a very long value (such as an inlined picture) or very many attributes. */
const LONG_TAG = 5_000

function countAttributes(tag: string): number {
  return tag.length < LONG_TAG ? 0 : (tag.replace(/"[^"]*"|'[^']*'/g, '').match(/\s[^\s=]/g)?.length ?? 0)
}

/**
 * Checks the source before parsing, whose time grows with the square of the nesting depth and of
 * the number of attributes.
 */
function checkSource(html: string): void {
  if (html.length > LENGTH_MAX) throw new NewsRefusal('too_large')
  let elements = 0
  let open = 0
  for (const [, closing, name = '', attributes = ''] of html.matchAll(TAG)) {
    if (closing === '') elements += 1
    if (!ENDS_BY_ITSELF.test(name)) open = Math.max(0, open + (closing === '' ? 1 : -1))
    // Twice as many as are accepted after parsing, because scripts and comments contain tags too.
    if (elements > 2 * ELEMENTS_MAX) throw new NewsRefusal('too_large', 'the page has too many elements')
    if (open > OPEN_MAX) throw new NewsRefusal('no_text', 'the elements of the page are nested too deeply')
    if (countAttributes(attributes) > ATTRIBUTES_MAX)
      throw new NewsRefusal('too_large', 'an element has too many attributes')
  }
}

/**
 * Wraps the page in a frame. Many pages leave out html, head and body, as HTML allows, and linkedom
 * does not add them. The page's own html and body become ordinary blocks of the frame, marked so
 * that they can be found.
 */
const frame = (html: string): string => {
  const inner = html
    .replace(/<!doctype[^>]{0,500}>/i, '')
    .replace(/<(\/?)head(?=[\s>])/gi, '<$1page-head')
    .replace(/<(html|body)(?=[\s>])/gi, '<div data-page-$1')
    .replace(/<\/(?:html|body)(?=[\s>])/gi, '</div')
  return `<!doctype html><html><head></head><body>${inner}</body></html>`
}

/** Refuses pages larger than publishers write, on which later steps would take too long. */
function checkSize(page: Page): void {
  let nodes = 0
  let elements = 0
  function count(parent: PageNode, depth: number): void {
    if (depth > DEPTH_MAX) throw new NewsRefusal('no_text', 'the elements of the page are nested too deeply')
    for (let node = parent.firstChild; node !== null; node = node.nextSibling) {
      nodes += 1
      if (isElement(node)) elements += 1
      if (elements > ELEMENTS_MAX || nodes > NODES_MAX)
        throw new NewsRefusal('too_large', 'the page has too many elements')
      count(node, depth + 1)
    }
  }
  count(page.body, 0)
}

/** Parses HTML. No script runs and nothing is fetched. */
export function parsePage(html: string): Page {
  checkSource(html)
  const { document }: { document: Page } = parseHTML(frame(html))
  checkSize(document)
  return document
}
