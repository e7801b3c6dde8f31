/** What a page has in it but people do not see: the place where instructions for machines are hidden. */
import type { StyleRule } from './css.ts'
import { isElement, nextAfter, nextWithin, COMMENT, TEXT, type Page, type PageElement, type PageNode } from './dom.ts'
import { findFading, findHiding, isOfUse, mayHide, ORDINARY_LETTERS, readLetters, type Letters } from './hiding.ts'
import { createStyles, type Styles } from './styles.ts'

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

/** Why something is not seen, and by which rule of a style sheet; null for what the element itself says. */
interface Unseen {
  readonly by: StyleRule | null
}
const BY_ITSELF: Unseen = { by: null }

type Judge = (node: PageNode) => Unseen | null

/** Judges the nodes of a page, each after what is around it. html and body stay even if hidden: some pages show themselves by a script. */
function createJudge(page: Page, styles: Styles): Judge {
  const roots = new Set([page.body, page.querySelector('[data-page-html]'), page.querySelector('[data-page-body]')])
  const lettersIn = new Map<PageNode, Letters>()
  const lettersAround = (node: PageNode): Letters =>
    (node.parentNode === null ? undefined : lettersIn.get(node.parentNode)) ?? ORDINARY_LETTERS
  return (node) => {
    if (node.nodeType === COMMENT) return BY_ITSELF
    if (node.nodeType === TEXT) return findFading(lettersAround(node))
    if (!isElement(node)) return null
    if (UNSEEN_TAGS.has(node.localName)) return BY_ITSELF
    const style = styles.of(node)
    lettersIn.set(node, readLetters(style, lettersAround(node)))
    if (roots.has(node)) return null
    return isMarkedUnseen(node) ? BY_ITSELF : findHiding(style)
  }
}

/** The nodes of a page, outermost first, each with why it is not seen; nothing of what is in those that are not. */
function* judgeAll(page: Page, judge: Judge): Generator<[PageNode, Unseen | null]> {
  for (let node: PageNode | null = page.body.firstChild; node !== null;) {
    const unseen = judge(node)
    const next: PageNode | null = unseen === null ? nextWithin(node, page.body) : nextAfter(node, page.body)
    yield [node, unseen]
    node = next
  }
}

/** Text that tells something, other than menus and buttons. */
const SENTENCE_END = /[。！？]|[.!?](?:\s|$)/

function countSentences(root: PageNode): number {
  if (root.nodeType === TEXT) return SENTENCE_END.test(root.textContent) ? root.textContent.trim().length : 0
  let length = 0
  for (let node = root.firstChild; node !== null; node = nextWithin(node, root)) {
    if (node.nodeType === TEXT && !(isElement(node.parentNode!) && UNSEEN_TAGS.has(node.parentNode.localName))) {
      length += countSentences(node)
    }
  }
  return length
}

/** Characters of a short article: where they are left, a page is not empty. */
const ARTICLE = 300
/** Rules that are passed over, one after the other; pages hide themselves with one or two. */
const PASSED_MAX = 5

/**
 * The rule that hides more than half of the text of a page, and leaves less than an article of it. So do pages that show themselves by a
 * script, which nobody runs here. It is taken for that rather than for a way to hide something from people, who would see next to
 * nothing of such a page.
 */
function findCurtain(page: Page, judge: Judge): StyleRule | null {
  const hidden = new Map<StyleRule, number>()
  let seen = 0
  for (const [node, unseen] of judgeAll(page, judge)) {
    if (unseen === null && node.nodeType === TEXT) seen += countSentences(node)
    if (unseen !== null && unseen.by !== null)
      hidden.set(unseen.by, (hidden.get(unseen.by) ?? 0) + countSentences(node))
  }
  if (seen >= ARTICLE) return null
  const all = [...hidden.values()].reduce((sum, length) => sum + length, seen)
  return [...hidden].find(([, length]) => length > all / 2)?.[0] ?? null
}

/** As much of hidden text as is worth judging. */
const HIDDEN_MAX = 20_000

/** Takes out of a page what people do not see, and returns the hidden text, one element a line: it tells something about the page. */
export function removeUnseen(page: Page): string {
  const styles = createStyles(page, { isOfUse, mayHide })
  for (let passed = 0; passed < PASSED_MAX; passed += 1) {
    const curtain = findCurtain(page, createJudge(page, styles))
    if (curtain === null) break
    styles.ignore(curtain)
  }
  const hidden: string[] = []
  let length = 0
  const removed: PageNode[] = []
  for (const [node, unseen] of judgeAll(page, createJudge(page, styles))) {
    if (unseen === null) continue
    removed.push(node)
    const isText = node.nodeType === TEXT || (isElement(node) && !UNSEEN_TAGS.has(node.localName))
    if (!isText || length >= HIDDEN_MAX) continue
    const text = node.textContent.slice(0, HIDDEN_MAX - length)
    hidden.push(text)
    length += text.length
  }
  for (const node of removed) node.remove()
  return hidden.join('\n')
}
