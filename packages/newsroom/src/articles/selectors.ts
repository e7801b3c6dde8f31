/** Which elements a selector of a style sheet means. */
import {
  AttributeAction,
  parse,
  SelectorType,
  type AttributeSelector,
  type PseudoSelector,
  type Selector,
} from 'css-what'
import { isElement, type PageElement } from './dom.ts'

export interface ParsedSelector {
  readonly tokens: readonly Selector[]
  /** What an element must have to be meant: `#id`, `.class`, a tag, or `*`. */
  readonly key: string
  /** Which of two selectors counts for an element that both mean: the greater one. */
  readonly specificity: number
}

/** Null for what cannot be read: browsers leave it out as well. */
export function readSelector(text: string): ParsedSelector | null {
  try {
    const [tokens, ...others] = parse(text)
    if (tokens === undefined || others.length > 0) return null
    return { tokens, key: keyOf(tokens), specificity: specificityOf(tokens) }
  } catch {
    return null
  }
}

const TRAVERSALS: ReadonlySet<SelectorType> = new Set([
  SelectorType.Descendant,
  SelectorType.Child,
  SelectorType.Adjacent,
  SelectorType.Sibling,
  SelectorType.Parent,
  SelectorType.ColumnCombinator,
])

function keyOf(tokens: readonly Selector[]): string {
  const subject = tokens.slice(tokens.findLastIndex(({ type }) => TRAVERSALS.has(type)) + 1)
  for (const token of subject) {
    if (token.type !== SelectorType.Attribute || token.ignoreCase === true) continue
    if (token.name === 'id' && token.action === AttributeAction.Equals) return `#${token.value}`
    if (token.name === 'class' && token.action === AttributeAction.Element) return `.${token.value}`
  }
  for (const token of subject) if (token.type === SelectorType.Tag) return token.name.toLowerCase()
  return '*'
}

/** Ids before classes before tags (Selectors, 17). */
function specificityOf(tokens: readonly Selector[]): number {
  let specificity = 0
  for (const token of tokens) {
    if (token.type === SelectorType.Tag || token.type === SelectorType.PseudoElement) specificity += 1
    else if (token.type === SelectorType.Attribute) specificity += token.name === 'id' ? 10_000 : 100
    else if (token.type === SelectorType.Pseudo) {
      specificity += Array.isArray(token.data)
        ? token.name === 'where'
          ? 0
          : Math.max(...token.data.map(specificityOf))
        : 100
    }
  }
  return specificity
}

/** The keys under which the selectors are that may mean an element. The page's own html and body are blocks (parse-page.ts). */
export function keysOf(element: PageElement): readonly string[] {
  const id = element.getAttribute('id')
  const own = ['html', 'body'].filter((name) => element.hasAttribute(`data-page-${name}`))
  return [
    '*',
    element.localName,
    ...own,
    ...(id === null ? [] : [`#${id}`]),
    ...classesOf(element).map((name) => `.${name}`),
  ]
}

const classesOf = (element: PageElement): readonly string[] => [
  ...new Set((element.getAttribute('class') ?? '').split(/\s+/).filter((name) => name !== '')),
]

const isTag = (element: PageElement, name: string): boolean =>
  element.localName === name || ((name === 'html' || name === 'body') && element.hasAttribute(`data-page-${name}`))

/**
 * Whether a selector means an element, as the page is before anybody touches it.
 * @param spend is called at each step: a selector may be made for more of them than anybody can take, and this may throw
 */
export function isMeant(
  element: PageElement,
  tokens: readonly Selector[],
  spend: () => void,
  last: number = tokens.length - 1,
): boolean {
  spend()
  let at = last
  for (let token = tokens[at]; token !== undefined && !TRAVERSALS.has(token.type); token = tokens[at]) {
    if (!isSuch(element, token, spend)) return false
    at -= 1
  }
  const rest = at - 1
  switch (tokens[at]?.type) {
    case undefined:
      return true
    case SelectorType.Child: {
      const parent = parentOf(element)
      return parent !== null && isMeant(parent, tokens, spend, rest)
    }
    case SelectorType.Descendant:
      for (let around = parentOf(element); around !== null; around = parentOf(around)) {
        if (isMeant(around, tokens, spend, rest)) return true
      }
      return false
    case SelectorType.Adjacent: {
      const before = element.previousElementSibling
      return before !== null && isMeant(before, tokens, spend, rest)
    }
    case SelectorType.Sibling:
      for (let before = element.previousElementSibling; before !== null; before = before.previousElementSibling) {
        if (isMeant(before, tokens, spend, rest)) return true
      }
      return false
    default:
      return false
  }
}

function parentOf(element: PageElement): PageElement | null {
  const parent = element.parentNode
  return parent !== null && isElement(parent) ? parent : null
}

function isSuch(element: PageElement, token: Selector, spend: () => void): boolean {
  switch (token.type) {
    case SelectorType.Universal:
      return true
    case SelectorType.Tag:
      return isTag(element, token.name.toLowerCase())
    case SelectorType.Attribute:
      return hasSuchAttribute(element, token)
    case SelectorType.Pseudo:
      return isInState(element, token, spend)
    default:
      // ::before and the like are no elements.
      return false
  }
}

function hasSuchAttribute(element: PageElement, { name, action, value, ignoreCase }: AttributeSelector): boolean {
  const written = element.getAttribute(name.toLowerCase())
  if (written === null) return action === AttributeAction.Not
  const [has, asked] = ignoreCase === true ? [written.toLowerCase(), value.toLowerCase()] : [written, value]
  switch (action) {
    case AttributeAction.Exists:
      return true
    case AttributeAction.Equals:
      return has === asked
    case AttributeAction.Element:
      return has.split(/\s+/).includes(asked)
    case AttributeAction.Start:
      return asked !== '' && has.startsWith(asked)
    case AttributeAction.End:
      return asked !== '' && has.endsWith(asked)
    case AttributeAction.Any:
      return asked !== '' && has.includes(asked)
    case AttributeAction.Hyphen:
      return has === asked || has.startsWith(`${asked}-`)
    default:
      return has !== asked
  }
}

/** What an element is without being told so by anybody; what it has around and in it is believed. */
const ALWAYS: ReadonlySet<string> = new Set(['has', 'lang', 'dir', 'defined', 'scope', 'read-only'])

function isInState(element: PageElement, { name, data }: PseudoSelector, spend: () => void): boolean {
  if (Array.isArray(data)) {
    const isOne = (): boolean => data.some((tokens) => isMeant(element, tokens, spend))
    if (name === 'not') return !isOne()
    if (name === 'is' || name === 'where' || name === 'matches') return isOne()
  }
  const place = PLACES.get(name)
  if (place !== undefined) return isAt(placesOf(element)[place], String(data ?? '1'))
  if (name === 'only-child') return isAlone(element, 'child', 'lastChild')
  if (name === 'only-of-type') return isAlone(element, 'ofType', 'lastOfType')
  if (name === 'root') return isTag(element, 'html')
  if (name === 'link' || name === 'any-link') return element.localName === 'a' && element.hasAttribute('href')
  // Nobody has hovered, clicked or typed anything yet.
  return ALWAYS.has(name)
}

/** The place of an element among its siblings: from either end, counting all of them or those of its tag. */
interface Places {
  child: number
  lastChild: number
  ofType: number
  lastOfType: number
}

const PLACES = new Map<string, keyof Places>([
  ['first-child', 'child'],
  ['last-child', 'lastChild'],
  ['first-of-type', 'ofType'],
  ['last-of-type', 'lastOfType'],
  ['nth-child', 'child'],
  ['nth-last-child', 'lastChild'],
  ['nth-of-type', 'ofType'],
  ['nth-last-of-type', 'lastOfType'],
])

/** Counted once for all siblings, which may be thousands. */
const countedPlaces = new WeakMap<PageElement, Places>()

function placesOf(element: PageElement): Places {
  const known = countedPlaces.get(element)
  if (known !== undefined) return known
  let first = element
  while (first.previousElementSibling !== null) first = first.previousElementSibling
  const siblings: PageElement[] = []
  for (let at: PageElement | null = first; at !== null; at = at.nextElementSibling) siblings.push(at)
  const ofTags = new Map<string, number>()
  siblings.forEach((sibling, before) => {
    const ofType = (ofTags.get(sibling.localName) ?? 0) + 1
    ofTags.set(sibling.localName, ofType)
    countedPlaces.set(sibling, { child: before + 1, lastChild: siblings.length - before, ofType, lastOfType: 0 })
  })
  for (const sibling of siblings) {
    const places = countedPlaces.get(sibling)!
    places.lastOfType = ofTags.get(sibling.localName)! - places.ofType + 1
  }
  return countedPlaces.get(element)!
}

const isAlone = (element: PageElement, first: keyof Places, last: keyof Places): boolean =>
  placesOf(element)[first] === 1 && placesOf(element)[last] === 1

const EVERY = /^([+-]?\d*)n(?:([+-])(\d+))?$/

/** Whether a place is one of 2n+1, odd, 3. */
function isAt(place: number, places: string): boolean {
  const written = places.toLowerCase().replace(/\s+/g, '').split('of', 1)[0]!
  if (/^[+-]?\d+$/.test(written)) return place === Number(written)
  const plain = written === 'odd' ? '2n+1' : written === 'even' ? '2n' : written
  const [, step, sign, offset = '0'] = EVERY.exec(plain) ?? []
  if (step === undefined) return false
  const every = /\d/.test(step) ? Number(step) : Number(`${step}1`)
  const past = place - Number(`${sign ?? ''}${offset}`)
  return every === 0 ? past === 0 : past % every === 0 && past / every >= 0
}
