/** What a page has in it but people do not see: the place where instructions for machines are hidden. */
import { isElement, nextAfter, nextWithin, COMMENT, TEXT, type Page, type PageElement, type PageNode } from './dom.ts'
import { NewsRefusal } from '../news-refusal.ts'
import { backgroundOf, hides, inkOf, isLost, layStyle, readStyle, type Style } from './hiding.ts'
import { readSheets, type Sheets } from './sheets.ts'

/** Never shown, or no text. */
const UNSEEN_TAGS: ReadonlySet<string> = new Set(
  'script style template noscript link meta title page-head iframe object embed applet svg math canvas audio video picture img map dialog datalist'.split(
    ' ',
  ),
)

/** Names by which style sheets everywhere know what only screen readers get. */
const UNSEEN_CLASS =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text|-only)?|a11y-hidden|assistive-text|is-hidden|u-hidden|d-none|hidden)(?:\s|$)/i

function isMarkedUnseen(element: PageElement): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden')?.toLowerCase() === 'true') return true
  // Not hidden from people, but kept from extracts by the publisher.
  if (element.hasAttribute('data-nosnippet')) return true
  return UNSEEN_CLASS.test(element.getAttribute('class') ?? '')
}

/** What an element says of its look, in a style or as old pages do. */
function ownStyle(element: PageElement): Style {
  const color = element.localName === 'font' ? element.getAttribute('color') : null
  const background = element.getAttribute('bgcolor')
  const old = `${color === null ? '' : `color:${color};`}${background === null ? '' : `background:${background};`}`
  return readStyle(`${old}${element.getAttribute('style') ?? ''}`)
}

/** Text that tells something, other than menus and buttons. */
const SENTENCE_END = /[。！？]|[.!?](?:\s|$)/

function countSentences(root: PageNode): number {
  let length = 0
  for (let node = root.firstChild; node !== null; node = nextWithin(node, root)) {
    if (node.nodeType === TEXT && SENTENCE_END.test(node.textContent)) length += node.textContent.trim().length
  }
  return length
}

/** Characters of a short article: where they are left, a page is not empty. */
const ARTICLE = 300
/** As much of hidden text as is worth judging. */
const HIDDEN_MAX = 20_000

/** Takes out of a page what people do not see, and returns the hidden text, one element a line: it tells something about the page. */
export function removeUnseen(page: Page): string {
  const hidden: string[] = []
  let length = 0
  function remove(node: PageNode): void {
    node.remove()
    const isText = node.nodeType === TEXT || (isElement(node) && !UNSEEN_TAGS.has(node.localName))
    if (!isText || length >= HIDDEN_MAX) return
    const text = node.textContent.slice(0, HIDDEN_MAX - length)
    hidden.push(text)
    length += text.length
  }
  const sheets = readSheets(page)
  const select = createSelect(page)
  const fades = createFading(sheets, select)
  removeHiddenByItself(page, fades, remove)
  removeHiddenBySheets(page, sheets, { select, fades, remove })
  return hidden.join('\n')
}

type Fades = (style: Style, element: PageElement) => boolean
type Select = (selector: string) => readonly PageElement[]

/** html and body stay even if hidden: some pages show themselves by a script. */
const isRoot = (element: PageElement): boolean =>
  element.hasAttribute('data-page-html') || element.hasAttribute('data-page-body')

function removeHiddenByItself(page: Page, fades: Fades, remove: (node: PageNode) => void): void {
  function isUnseen(node: PageNode): boolean {
    if (!isElement(node)) return node.nodeType === COMMENT
    if (UNSEEN_TAGS.has(node.localName)) return true
    if (isRoot(node)) return false
    if (isMarkedUnseen(node)) return true
    const style = ownStyle(node)
    return style.size > 0 && (hides(style) || fades(style, node))
  }
  for (let node: PageNode | null = page.body.firstChild; node !== null;) {
    const unseen = isUnseen(node)
    const next: PageNode | null = unseen ? nextAfter(node, page.body) : nextWithin(node, page.body)
    if (unseen) remove(node)
    node = next
  }
}

function removeHiddenBySheets(
  page: Page,
  sheets: Sheets,
  { select, fades, remove }: { select: Select; fades: Fades; remove: (node: PageNode) => void },
): void {
  let left = countSentences(page.body)
  for (const [selector, style] of sheets) {
    if (!hides(style) && !isLost(inkOf(style), backgroundOf(style) || 'white')) continue
    const unseen = select(selector).filter((element) => {
      const laid = layStyle(style, ownStyle(element))
      return !isRoot(element) && (hides(laid) || fades(laid, element))
    })
    const found = outermost(unseen)
    const lost = found.reduce((sum, element) => sum + countSentences(element), 0)
    // Pages that show themselves by a script, which nobody runs here, do so: of others people would see next to nothing.
    if (lost > left / 2 && left - lost < ARTICLE) continue
    left -= lost
    for (const element of found) remove(element)
  }
}

/** Tells whether letters of a style are lost in an element. Pages are white unless something around says otherwise. */
function createFading(sheets: Sheets, select: Select): Fades {
  let dark: ReadonlySet<PageElement> | null = null
  function findDark(): ReadonlySet<PageElement> {
    const isDark = (style: Style): boolean => backgroundOf(style) !== '' && !isLost('white', backgroundOf(style))
    return new Set(sheets.flatMap(([selector, style]) => (isDark(style) ? select(selector) : [])))
  }
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

/** Elements compared with selectors, some 300,000 a second. Long pages with long sheets need a million. */
const COMPARED_MAX = 3_000_000

/** Finds what a selector of the page's means; nothing for one that is not understood. */
function createSelect(page: Page): Select {
  const elements = [...page.querySelectorAll('*')]
  const names = new Set(elements.flatMap(namesOf))
  let compared = 0
  return (selector) => {
    // Most rules of a long sheet are for other pages.
    if (selector.match(/[.#][\w-]+/g)?.every((name) => names.has(name)) === false) return []
    compared += elements.length
    if (compared > COMPARED_MAX) throw new NewsRefusal('too_large', 'the style sheets of the page are too much')
    try {
      return [...page.querySelectorAll(selector)]
    } catch {
      return []
    }
  }
}

/** The classes and the id of an element, as selectors name them. */
const namesOf = (element: PageElement): string[] => [
  ...(element.getAttribute('class') ?? '').split(/\s+/).map((name) => `.${name}`),
  `#${element.getAttribute('id') ?? ''}`,
]

/** Without those that are in others of them. Expects them in the order of the page. */
function outermost(elements: readonly PageElement[]): PageElement[] {
  const found: PageElement[] = []
  for (const element of elements) if (found.at(-1)?.contains(element) !== true) found.push(element)
  return found
}
