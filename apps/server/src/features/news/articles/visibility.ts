/** What a page has in it but people do not see: the place where instructions for machines are hidden. */
import { isElement, nextAfter, nextWithin, COMMENT, type Page, type PageElement, type PageNode } from './dom.ts'

/** Never shown, or no text. */
const UNSEEN_TAGS: ReadonlySet<string> = new Set(
  'script style template noscript link meta title page-head iframe object embed applet svg math canvas audio video picture img map dialog datalist'.split(
    ' ',
  ),
)

/** Names by which style sheets everywhere know what only screen readers get. */
const UNSEEN_CLASS =
  /(?:^|\s)(?:sr-only|visually-?hidden|screen-reader(?:-text|-only)?|a11y-hidden|assistive-text|is-hidden|u-hidden|d-none|hidden)(?:\s|$)/i

/** Of an inline style without spaces, in lower case. */
const UNSEEN_STYLES: readonly RegExp[] = [
  /(?:^|;)display:none/,
  /(?:^|;)visibility:(?:hidden|collapse)/,
  /(?:^|;)opacity:(?:0|0?\.0\d*)(?:%|!|;|$)/,
  /(?:^|;)font(?:-size)?:(?:0|0?\.\d+|1)(?:px|pt|em|rem|%|vw)?(?:!|;|$|\/)/,
  /(?:^|;)(?:left|right|top|bottom|text-indent|margin-left|margin-top|margin-right):-\d{3,}/,
  /(?:^|;)(?:left|top):\d{4,}px/,
  /(?:^|;)clip:rect\((?:0|1)(?:px)?[,\s]?(?:0|1)(?:px)?/,
  /(?:^|;)clip-path:(?:inset\((?:50|100)%|circle\(0)/,
  /(?:^|;)transform:(?:scale[xy]?\(0|translate[xy]?\(-?\d{4,})/,
  /(?:^|;)(?:max-)?(?:width|height):[01](?:px)?(?:!|;|$)/,
  /(?:^|;)color:transparent/,
  /(?:^|;)color:rgba\([\d.,]+,0?(?:\.0\d*)?\)/,
]

const FOUND_COLOR = /(?:^|;)color:([^;!]+)/
const FOUND_BACKGROUND = /(?:^|;)background(?:-color)?:([^;!]+)/
const WHITE = /^(?:#fff(?:fff)?(?:ff)?|white|rgba?\(25[3-5],25[3-5],25[3-5](?:,1)?\)|#f[a-f]f[a-f]f[a-f]|snow|ivory)$/

const styleOf = (element: PageElement): string =>
  (element.getAttribute('style') ?? '').toLowerCase().replace(/\s+/g, '')

/** Whether an element, or one around it, says what is behind its text: white letters are read there. */
function hasBackground(element: PageElement): boolean {
  for (let at: PageNode | null = element; at !== null && isElement(at); at = at.parentNode) {
    const background = FOUND_BACKGROUND.exec(styleOf(at))?.[1] ?? at.getAttribute('bgcolor')
    if (background !== undefined && background !== null) return !WHITE.test(background)
  }
  return false
}

/** Letters in the colour of what is behind them, as far as the element itself tells. Pages are white unless they say something else. */
function isPaintedOver(element: PageElement, style: string): boolean {
  const color = FOUND_COLOR.exec(style)?.[1] ?? (element.localName === 'font' ? element.getAttribute('color') : null)
  if (color === null) return false
  const background = FOUND_BACKGROUND.exec(style)?.[1]
  return background === color || (WHITE.test(color.toLowerCase()) && !hasBackground(element))
}

/** Longer style sheets are cut: what is hidden is told early or not at all. */
const SHEET_MAX = 300_000
const HIDING_RULE = /(?:^|;)(?:display:none|visibility:hidden|font-size:0)/
/** A selector that is one class or id, and nothing else. */
const SIMPLE_SELECTOR = /^[a-z]{0,10}([.#])([\w-]{1,60})$/i

/** In a time that grows with the sheet only, however comments are strewn in. */
const withoutComments = (sheet: string): string =>
  sheet
    .split('*/')
    .map((part) => part.split('/*', 1)[0])
    .join('')

/** Selectors and rules of a style sheet, without what stands in @media and the like: that is hidden for some only. */
function* rulesOf(sheet: string): Generator<{ selectors: string; rules: string }> {
  let depth = 0
  let selectors = ''
  for (const [piece] of withoutComments(sheet.slice(0, SHEET_MAX)).matchAll(/[^{}]+|[{}]/g)) {
    if (piece === '{') depth += 1
    else if (piece === '}') depth = Math.max(0, depth - 1)
    else if (depth === 0) selectors = piece.slice(piece.lastIndexOf(';') + 1).trim()
    else if (depth === 1 && !selectors.startsWith('@')) yield { selectors, rules: piece }
  }
}

/** The classes and ids that the page's own style sheets hide. */
function hiddenByStyleSheet(page: Page): (element: PageElement) => boolean {
  const hidden = new Set<string>()
  for (const sheet of page.querySelectorAll('style')) {
    for (const { selectors, rules } of rulesOf(sheet.textContent)) {
      if (!HIDING_RULE.test(rules.toLowerCase().replace(/\s+/g, ''))) continue
      for (const selector of selectors.split(',')) {
        const [, mark = '', name = ''] = SIMPLE_SELECTOR.exec(selector.trim()) ?? []
        if (name !== '') hidden.add(mark + name)
      }
    }
  }
  return (element) =>
    hidden.size > 0 &&
    (hidden.has(`#${element.getAttribute('id') ?? ''}`) ||
      (element.getAttribute('class') ?? '').split(/\s+/).some((name) => hidden.has(`.${name}`)))
}

function isUnseen(element: PageElement, hiddenBySheet: (element: PageElement) => boolean): boolean {
  if (element.hasAttribute('hidden') || element.getAttribute('aria-hidden')?.toLowerCase() === 'true') return true
  // Not hidden from people, but kept from extracts by the publisher.
  if (element.hasAttribute('data-nosnippet')) return true
  if (UNSEEN_CLASS.test(element.getAttribute('class') ?? '') || hiddenBySheet(element)) return true
  const style = styleOf(element)
  return UNSEEN_STYLES.some((unseen) => unseen.test(style)) || isPaintedOver(element, style)
}

/** As much of hidden text as is worth judging. */
const HIDDEN_MAX = 20_000

/**
 * Takes out of a page what people do not see, and returns the hidden text, one element a line: it tells something about the page.
 * html and body stay even if hidden: some pages show themselves by a script.
 */
export function removeUnseen(page: Page): string {
  const hiddenBySheet = hiddenByStyleSheet(page)
  const roots = new Set([page.body, page.querySelector('[data-page-html]'), page.querySelector('[data-page-body]')])
  const hidden: string[] = []
  let length = 0
  for (let node: PageNode | null = page.body.firstChild; node !== null;) {
    const unseen = isElement(node)
      ? UNSEEN_TAGS.has(node.localName) || (!roots.has(node) && isUnseen(node, hiddenBySheet))
      : node.nodeType === COMMENT
    const next: PageNode | null = unseen ? nextAfter(node, page.body) : nextWithin(node, page.body)
    if (unseen && isElement(node) && !UNSEEN_TAGS.has(node.localName) && length < HIDDEN_MAX) {
      const text = node.textContent.slice(0, HIDDEN_MAX - length)
      hidden.push(text)
      length += text.length
    }
    if (unseen) node.remove()
    node = next
  }
  return hidden.join('\n')
}
