/**
 * Removes the parts of a page that people do not see, where instructions for machines are hidden.
 */
import { isElement, removeEach, COMMENT, TEXT, type Page, type PageElement, type PageNode } from './dom.ts'
import { NewsRefusal } from '../news-refusal.ts'
import { backgroundOf, hides, inkOf, isLost, layStyle, readStyle, type Style } from './hiding.ts'
import { readSheets, type Sheets } from './sheets.ts'

/** Elements that are never shown, or hold no text. */
const UNSEEN_TAGS: ReadonlySet<string> = new Set(
  'script style template noscript link meta title page-head iframe object embed applet svg math canvas audio video picture img map dialog datalist'.split(
    ' ',
  ),
)

/** Class names by which common style sheets mark text for screen readers. */
const UNSEEN_CLASS =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text|-only)?|a11y-hidden|assistive-text|is-hidden|u-hidden|d-none|hidden)(?:\s|$)/i

const isMarkedUnseen = (element: PageElement): boolean =>
  element.hasAttribute('hidden') ||
  element.getAttribute('aria-hidden')?.toLowerCase() === 'true' ||
  // Visible to people, but excluded from extracts by the publisher.
  element.hasAttribute('data-nosnippet') ||
  UNSEEN_CLASS.test(element.getAttribute('class') ?? '')

/** The element's own style, from its style attribute or old presentational attributes. */
function ownStyle(element: PageElement): Style {
  const color = element.localName === 'font' ? element.getAttribute('color') : null
  const background = element.getAttribute('bgcolor')
  const old = `${color === null ? '' : `color:${color};`}${background === null ? '' : `background:${background};`}`
  return readStyle(`${old}${element.getAttribute('style') ?? ''}`)
}

/** html and body stay even if hidden: some pages show themselves by a script. */
const isRoot = (element: PageElement): boolean =>
  element.hasAttribute('data-page-html') || element.hasAttribute('data-page-body')

/** Characters of hidden text that are judged at most. */
const HIDDEN_MAX = 20_000

/**
 * Removes what people do not see, and returns the hidden text, one element per line, as a hint
 * about the page.
 */
export function removeUnseen(page: Page): string {
  const hidden: string[] = []
  function remove(node: PageNode): void {
    node.remove()
    const isText = node.nodeType === TEXT || (isElement(node) && !UNSEEN_TAGS.has(node.localName))
    if (isText) hidden.push(node.textContent)
  }
  const sheets = readSheets(page)
  const select = createSelect(page)
  const fades = createFading(sheets, select)
  removeEach(page.body, (node) => isUnseen(node, fades), remove)
  removeHiddenBySheets(page, sheets, { select, fades, remove })
  return hidden.join('\n').slice(0, HIDDEN_MAX)
}

function isUnseen(node: PageNode, fades: Fades): boolean {
  if (!isElement(node)) return node.nodeType === COMMENT
  if (UNSEEN_TAGS.has(node.localName)) return true
  if (isRoot(node)) return false
  if (isMarkedUnseen(node)) return true
  const style = ownStyle(node)
  return hides(style) || fades(style, node)
}

/** Texts of whole sentences, other than menus and buttons. */
const SENTENCE_END = /[。！？]|[.!?](?:\s|$)/
/** The characters of such texts. */
function countSentences(node: PageNode): number {
  if (node.nodeType === TEXT) return SENTENCE_END.test(node.textContent) ? node.textContent.trim().length : 0
  let length = 0
  for (let child = node.firstChild; child !== null; child = child.nextSibling) length += countSentences(child)
  return length
}
/** Characters of a short article: a page that keeps this many is not empty. */
const ARTICLE = 300

type Fades = (style: Style, element: PageElement) => boolean
type Select = (selector: string) => Iterable<PageElement>

function removeHiddenBySheets(
  page: Page,
  sheets: Sheets,
  { select, fades, remove }: { select: Select; fades: Fades; remove: (node: PageNode) => void },
): void {
  let left = countSentences(page.body)
  for (const [selector, style] of sheets) {
    if (!hides(style) && !isLost(inkOf(style), backgroundOf(style) || 'white')) continue
    const found: PageElement[] = []
    for (const element of select(selector)) {
      // In document order, so an element comes after those around it.
      if (isRoot(element) || found.at(-1)?.contains(element) === true) continue
      const laid = layStyle(style, ownStyle(element))
      if (hides(laid) || fades(laid, element)) found.push(element)
    }
    const lost = found.reduce((sum, element) => sum + countSentences(element), 0)
    // A rule that hides nearly the whole page belongs to a page that a script shows; no script runs
    // here, so the rule is ignored.
    if (lost > left / 2 && left - lost < ARTICLE) continue
    left -= lost
    for (const element of found) remove(element)
  }
}

/**
 * Returns a test whether text of a style is invisible in an element. The background is white unless
 * an ancestor sets another.
 */
function createFading(sheets: Sheets, select: Select): Fades {
  let dark: ReadonlySet<PageElement> | null = null
  const isDark = (style: Style): boolean => backgroundOf(style) !== '' && !isLost('white', backgroundOf(style))
  const findDark = () => new Set(sheets.flatMap(([selector, style]) => (isDark(style) ? [...select(selector)] : [])))
  return (style, element) => {
    const ink = inkOf(style)
    if (ink === '' || backgroundOf(style) !== '') return isLost(ink, backgroundOf(style))
    for (let at: PageElement | null = element; at !== null; at = at.parentElement) {
      const background = backgroundOf(ownStyle(at))
      if (background !== '') return isLost(ink, background)
      if (isLost(ink, 'white') && (dark ??= findDark()).has(at)) return false
    }
    return isLost(ink, 'white')
  }
}

/**
 * Maximum comparisons of elements with selectors; about 300,000 take a second. Long pages with long
 * sheets need a million.
 */
const COMPARED_MAX = 3_000_000

/**
 * Returns a function that finds the elements of a selector, in document order; it finds none for a
 * selector that is not understood.
 */
function createSelect(page: Page): Select {
  const elements = [...page.querySelectorAll('*')]
  /** Their classes and ids, as selectors write them. */
  const names = new Set(
    elements.flatMap((element) => [
      ...(element.getAttribute('class') ?? '').split(/\s+/).map((name) => `.${name}`),
      `#${element.getAttribute('id') ?? ''}`,
    ]),
  )
  let compared = 0
  return (selector) => {
    // Most rules of a long sheet concern other pages.
    if (selector.match(/[.#][\w-]+/g)?.every((name) => names.has(name)) === false) return []
    compared += elements.length
    if (compared > COMPARED_MAX) throw new NewsRefusal('too_large', 'the style sheets of the page are too much')
    try {
      return page.querySelectorAll(selector)
    } catch {
      return []
    }
  }
}
