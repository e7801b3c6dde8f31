/**
 * The parts of a parsed page that the newsroom uses. The server is compiled without the browser's
 * types.
 */

export interface PageNode {
  /** 1 element, 3 text, 4 CDATA, 8 comment. */
  readonly nodeType: number
  readonly parentNode: PageNode | null
  readonly firstChild: PageNode | null
  readonly nextSibling: PageNode | null
  textContent: string
  remove(): void
}

export interface PageElement extends PageNode {
  /** In lower case. */
  readonly localName: string
  readonly parentElement: PageElement | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  removeAttribute(name: string): void
  querySelectorAll(selector: string): Iterable<PageElement>
  querySelector(selector: string): PageElement | null
  contains(node: PageNode): boolean
}

export interface Page extends PageElement {
  readonly body: PageElement
}

export const ELEMENT = 1
export const TEXT = 3
export const COMMENT = 8

export const isElement = (node: PageNode): node is PageElement => node.nodeType === ELEMENT

/** The next node after this one and its descendants, within the root. */
function nextAfter(node: PageNode, root: PageNode): PageNode | null {
  for (let at: PageNode | null = node; at !== null && at !== root; at = at.parentNode) {
    if (at.nextSibling !== null) return at.nextSibling
  }
  return null
}

/** The next node in document order, descendants first. */
export const nextWithin = (node: PageNode, root: PageNode): PageNode | null => node.firstChild ?? nextAfter(node, root)

/** Removes nodes of a kind by `remove`; what is within them is not looked at. */
export function removeEach(
  root: PageNode,
  isSuch: (node: PageNode) => boolean,
  remove: (node: PageNode) => void,
): void {
  for (let node = root.firstChild; node !== null;) {
    const such = isSuch(node)
    const next: PageNode | null = such ? nextAfter(node, root) : nextWithin(node, root)
    if (such) remove(node)
    node = next
  }
}
