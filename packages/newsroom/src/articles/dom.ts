/**
 * The parts of a parsed page that the newsroom uses. The server is compiled without the browser's
 * types.
 */

export interface PageNode {
  /** 1 element, 3 text, 4 CDATA, 8 comment. */
  readonly nodeType: number
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

export const TEXT = 3
export const COMMENT = 8

export const isElement = (node: PageNode): node is PageElement => node.nodeType === 1

/**
 * Removes nodes of a kind by `remove`; what is within them is not looked at. Recursion is safe:
 * parse-page.ts limits the depth of pages.
 */
export function removeEach(
  root: PageNode,
  isSuch: (node: PageNode) => boolean,
  remove: (node: PageNode) => void,
): void {
  for (let node = root.firstChild; node !== null;) {
    const next: PageNode | null = node.nextSibling
    if (isSuch(node)) remove(node)
    else removeEach(node, isSuch, remove)
    node = next
  }
}
