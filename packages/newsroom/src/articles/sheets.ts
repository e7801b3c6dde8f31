/**
 * Reads the plain rules of a page's style sheets: selectors without states, positions and siblings,
 * on any screen.
 */
import type { Page } from './dom.ts'
import { layStyle, readStyle, type Style } from './hiding.ts'

/** Longer style sheets are cut: rules that hide text come early or not at all. */
const SHEET_MAX = 300_000

/** Comments, and strings, in which braces have no meaning. */
const ASIDE = /\/\*[\s\S]*?(?:\*\/|$)|"[^"\n]*"|'[^'\n]*'|<!--|-->/g
const withoutAsides = (sheet: string): string =>
  sheet.replace(ASIDE, (aside) => (/^["'](?!.*[{};])/.test(aside) ? aside : ' '))

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
    for (const { prelude, declarations, isSure } of readRules(sheet.textContent.slice(0, SHEET_MAX))) {
      const style = readStyle(declarations)
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

interface Block {
  readonly prelude: string
  readonly isGroup: boolean
  /**
   * Whether its contents count: false within a group that is not for screens, and within a rule.
   */
  readonly isRead: boolean
  readonly isSure: boolean
  declarations: string
}

/** The block around all rules. */
const SHEET: Block = { prelude: '', isGroup: true, isRead: true, isSure: true, declarations: '' }

function* readRules(sheet: string): Generator<Block> {
  const around: Block[] = []
  // Unclosed blocks end with the sheet.
  for (const [, text = '', mark] of `${withoutAsides(sheet)}}`.matchAll(/([^{};]*)([{};])/g)) {
    const block = around.at(-1) ?? { ...SHEET }
    if (mark === '{') {
      const prelude = text.trim()
      const isGroup = prelude.startsWith('@')
      const isSure = !isGroup || ON_SCREENS.test(prelude.slice(0, PRELUDE_MAX))
      const isRead = block.isGroup && block.isRead && (isSure || MAYBE.test(prelude.slice(0, PRELUDE_MAX)))
      around.push({ prelude, isGroup, isRead, isSure: block.isSure && isSure, declarations: '' })
      continue
    }
    block.declarations += `${text};`
    if (mark === '}' && around.pop() !== undefined && block.isRead && !block.isGroup) yield block
  }
}
