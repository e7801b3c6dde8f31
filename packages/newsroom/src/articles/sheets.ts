/**
 * Reads the plain rules of a page's style sheets: selectors without states, positions and siblings,
 * on any screen.
 */
import type { CssNode } from 'css-tree'
import type { Page } from './dom.ts'
import { ASIDE, layStyle, parseStyles, toStyle, type Style } from './hiding.ts'

/** Longer style sheets are cut: rules that hide text come early or not at all. */
const SHEET_MAX = 300_000

const PRELUDE_MAX = 300
/** Conditional groups that always apply on an ordinary screen, and those that may apply. */
const ON_SCREENS = /^@media\b(?![\s\S]*(?:print|speech|max-|prefers|orientation|<))/i
const MAYBE = /^@(?:layer|supports|container)\b(?![\s\S]*(?:max-|<))/i
/** Excludes states, positions and siblings: they are expensive to match, and mostly hide menus. */
const PLAIN_SELECTOR = /^[^:~+()&@\\]{1,200}$/

/** The selector with html and body replaced by the page's own (parse-page.ts). */
const toFrame = (selector: string): string =>
  selector
    .trim()
    .replace(
      /(^|[\s>])(html|body)(?![\w-])/gi,
      (_, before: string, tag: string) => `${before}[data-page-${tag.toLowerCase()}]`,
    )

export type Sheets = readonly (readonly [selector: string, style: Style])[]

/**
 * The declarations of a page's sheets by selector. Rules of one selector are merged, so that a
 * later one can show what an earlier one hides; precedence between different selectors is ignored.
 * Rules that only may apply are kept apart: they can hide but not show.
 */
export function readSheets(page: Page): Sheets {
  const sure = new Map<string, Style>()
  const unsure: [string, Style][] = []
  for (const sheet of page.querySelectorAll('style')) {
    if (!ON_SCREENS.test(`@media ${sheet.getAttribute('media') ?? ''}`)) continue
    const parsed = parseStyles(sheet.textContent.slice(0, SHEET_MAX), 'stylesheet')
    for (const { prelude, style, isSure } of readRules(parsed)) {
      if (style.size === 0) continue
      for (const selector of prelude.split(',').map(toFrame)) {
        if (!PLAIN_SELECTOR.test(selector)) continue
        if (isSure) sure.set(selector, layStyle(sure.get(selector) ?? new Map(), style))
        else unsure.push([selector, style])
      }
    }
  }
  return [...sure, ...unsure]
}

function* readRules(
  nodes: Iterable<CssNode>,
  isSure = true,
): Generator<{ prelude: string; style: Style; isSure: boolean }> {
  for (const node of nodes) {
    if (node.type === 'Rule') yield { prelude: textOf(node.prelude), style: toStyle(node.block.children), isSure }
    if (node.type !== 'Atrule' || node.block === null) continue
    const group = `@${node.name} ${textOf(node.prelude).slice(0, PRELUDE_MAX)}`
    const applies = ON_SCREENS.test(group)
    if (applies || MAYBE.test(group)) yield* readRules(node.block.children, isSure && applies)
  }
}

const textOf = (node: CssNode | null): string => (node?.type === 'Raw' ? node.value.replace(ASIDE, ' ') : '')
