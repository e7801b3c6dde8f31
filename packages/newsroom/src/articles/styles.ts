/** What the style sheets and attributes of a page say of its elements. */
import { NewsRefusal } from '../news-refusal.ts'
import { isForScreens, readSheet, readStyle, type Declaration, type StyleRule } from './css.ts'
import type { Page, PageElement } from './dom.ts'
import { isMeant, keysOf, readSelector, type ParsedSelector } from './selectors.ts'

/** What counts of a property, and the rule of a sheet that says it; null for the element itself. */
export interface Styled {
  readonly value: string
  readonly by: StyleRule | null
}
export type Style = ReadonlyMap<string, Styled>

export interface Styles {
  of(element: PageElement): Style
  /** From now on, what a rule says does not count. */
  ignore(rule: StyleRule): void
}

export interface StylesOptions {
  /** The others are not kept. */
  readonly isOfUse: (property: string) => boolean
  /** Whether a declaration alone may hide: only such count of rules that may not hold. */
  readonly mayHide: (declaration: Declaration) => boolean
}

interface Selected {
  readonly selector: ParsedSelector
  readonly rule: StyleRule
  readonly order: number
}

/** Steps of comparing elements with selectors; pages with long sheets need some 100,000. */
const STEPS_MAX = 3_000_000

/** Some say with attributes what others say with styles. */
function attributesOf(element: PageElement): Declaration[] {
  const color = element.localName === 'font' ? element.getAttribute('color') : null
  const background = element.getAttribute('bgcolor')
  return [
    { property: 'color', value: color?.toLowerCase() ?? '', isImportant: false },
    { property: 'background', value: background?.toLowerCase() ?? '', isImportant: false },
  ].filter(({ value }) => value !== '')
}

/** Under one name, so that what comes later counts. */
const SAME = new Map([
  ['background-color', 'background'],
  ['background-image', 'background'],
])

export function createStyles(page: Page, { isOfUse, mayHide }: StylesOptions): Styles {
  const byKey = indexRules(page, isOfUse)
  const known = new Map<PageElement, Style>()
  const ignored = new Set<StyleRule>()
  let steps = 0
  function spend(): void {
    steps += 1
    if (steps > STEPS_MAX) throw new NewsRefusal('too_large', 'the style sheets of the page are too much')
  }

  function rulesFor(element: PageElement): StyleRule[] {
    if (byKey.size === 0) return []
    return keysOf(element)
      .flatMap((key) => byKey.get(key) ?? [])
      .filter(({ selector, rule }) => {
        spend()
        return !ignored.has(rule) && isMeant(element, selector.tokens, spend)
      })
      .toSorted((a, b) => a.selector.specificity - b.selector.specificity || a.order - b.order)
      .map(({ rule }) => rule)
  }

  function read(element: PageElement): Style {
    const style = new Map<string, Styled>()
    const say = (by: StyleRule | null, declarations: readonly Declaration[], isImportant: boolean): void => {
      for (const declaration of declarations) {
        const { property, value } = declaration
        if (declaration.isImportant !== isImportant || !isOfUse(property)) continue
        if (property !== 'background-image' || value !== 'none')
          style.set(SAME.get(property) ?? property, { value, by })
      }
    }
    const rules = rulesFor(element)
    const sure = rules.filter((rule) => rule.isSure)
    const attribute = element.getAttribute('style')
    const own = attribute === null ? [] : readStyle(attribute)
    say(null, attributesOf(element), false)
    for (const isImportant of [false, true]) {
      for (const rule of sure) say(rule, rule.declarations, isImportant)
      say(null, own, isImportant)
    }
    for (const rule of rules) {
      if (!rule.isSure) for (const hiding of rule.declarations.filter(mayHide)) say(rule, [hiding], hiding.isImportant)
    }
    return style
  }

  return {
    of(element) {
      let style = known.get(element)
      if (style === undefined) known.set(element, (style = read(element)))
      return style
    },
    ignore(rule) {
      ignored.add(rule)
      known.clear()
    },
  }
}

function indexRules(page: Page, isOfUse: (property: string) => boolean): ReadonlyMap<string, Selected[]> {
  const byKey = new Map<string, Selected[]>()
  let order = 0
  for (const sheet of page.querySelectorAll('style')) {
    if (!isForScreens(sheet.getAttribute('media') ?? '')) continue
    for (const rule of readSheet(sheet.textContent)) {
      if (!rule.declarations.some(({ property }) => isOfUse(property))) continue
      for (const text of rule.selectors) {
        const selector = readSelector(text)
        if (selector === null) continue
        order += 1
        const others = byKey.get(selector.key)
        if (others === undefined) byKey.set(selector.key, [{ selector, rule, order }])
        else others.push({ selector, rule, order })
      }
    }
  }
  return byKey
}
