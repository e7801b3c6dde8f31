/**
 * Which styles hide text: a short list of plain ways
 * (docs/decisions/0040-hidden-text-by-plain-rules.md). The checker catches what other ways let
 * through.
 */

import Color, { type ColorInstance } from 'color'
import type { CssNode } from 'css-tree'
import parse from 'css-tree/parser'

/** Comments and spaces, where the parser leaves texts as they are. */
export const ASIDE = /(?:\/\*[\s\S]*?(?:\*\/|$)|\s)+/g

/** Of any text, as browsers read it: what they do not understand is left out. */
export function parseStyles(text: string, context: 'stylesheet' | 'declarationList'): Iterable<CssNode> {
  const parts = { parseValue: false, parseCustomProperty: false, parseRulePrelude: false, parseAtrulePrelude: false }
  const parsed = parse(text, { ...parts, context, onParseError() {} })
  return parsed.type === 'StyleSheet' || parsed.type === 'DeclarationList' ? parsed.children : []
}

/** The value of a property, in lower case and without browser prefixes. */
interface Said {
  readonly value: string
  readonly isImportant: boolean
}
/** Values by property; only of properties that decide whether text is visible. */
export type Style = ReadonlyMap<string, Said>

/** Longer values are cut: values that hide text are short. */
const VALUE_MAX = 200

/** The declarations of a style attribute. */
export const readStyle = (text: string): Style => toStyle(parseStyles(text, 'declarationList'))

/** The style that declarations make together. */
export function toStyle(declarations: Iterable<CssNode>): Style {
  let style: Style = new Map()
  for (const node of declarations) {
    if (node.type !== 'Declaration') continue
    const property = node.property
      .toLowerCase()
      .replace(/^-(?:webkit|moz|ms|o)-/, '')
      .replace(/^(background|overflow)-(?:color|image|x|y)$/, '$1')
    if (!PROPERTIES.has(property)) continue
    const written = node.value.type === 'Raw' ? node.value.value : ''
    const value = written.slice(0, VALUE_MAX).replace(ASIDE, ' ').trim().toLowerCase()
    style = layStyle(style, new Map([[property, { value, isImportant: node.important !== false }]]))
  }
  return style
}

/** Merges two styles of one element: the upper one wins, unless the lower one is `!important`. */
export function layStyle(lower: Style, upper: Style): Style {
  const style = new Map(lower)
  for (const [property, said] of upper) {
    if (said.isImportant || style.get(property)?.isImportant !== true) style.set(property, said)
  }
  return style
}

const valueOf = (style: Style, property: string): string => style.get(property)?.value ?? ''

/** Pixels per unit, on an ordinary screen with ordinary letters. */
const PIXELS = new Map(Object.entries({ px: 1, pt: 4 / 3, em: 16, rem: 16, vw: 12.8, vh: 8 }))

/** The lengths in a value, in pixels; other units, such as angles, count as 0. */
const lengthsOf = (value: string, percent: number): number[] =>
  Array.from(value.matchAll(/([+-]?(?:\d+\.?\d*|\.\d+))(%|[a-z]+)?/g), ([, number, unit = 'px']) =>
    unit === '%' ? Number(number) * percent : Number(number) * (PIXELS.get(unit) ?? 0),
  )

/** Beyond the edges of every screen. */
const isFarOut = (value: string, percent = 12.8): boolean =>
  lengthsOf(value, percent).some((length) => length <= -500 || length >= 2_000)

/**
 * The length at the start of a value, if there is one. Numbers elsewhere may belong to the names of
 * variables.
 */
const lengthOf = (value: string, percent: number): number =>
  /^[+-]?[\d.]/.test(value) ? (lengthsOf(value, percent)[0] ?? Infinity) : Infinity

/** Whether text of this opacity is as good as invisible. */
const isFaint = (value: string): boolean => lengthOf(value, 0.01) < 0.1

const HIDING: readonly (readonly [properties: readonly string[], hides: (value: string) => boolean])[] = [
  [['display'], (value) => value === 'none'],
  [['visibility', 'content-visibility'], (value) => value === 'hidden' || value === 'collapse'],
  [['opacity', 'zoom', 'scale'], isFaint],
  [['filter'], (value) => isFaint(/opacity\((.*)/.exec(value)?.[1] ?? '')],
  [['font-size'], (value) => lengthOf(value, 0.16) < 4],
  [['font'], (value) => /(?:^| )0[a-z]*(?:\/| |$)/.test(value)],
  [['left', 'right', 'top', 'bottom', 'inset', 'text-indent'], isFarOut],
  // Column layouts use negative margins of their own width.
  [['margin', 'margin-left', 'margin-top'], (value) => !/[%hw]/.test(value) && isFarOut(value)],
  // Sliders move their slides by their own width.
  [['translate'], (value) => isFarOut(value, 0)],
  [['transform'], (value) => isFaint(/scale\w*\((.*)/.exec(value)?.[1] ?? '') || isFarOut(value, 0)],
  [['clip'], (value) => /^rect\([\d.]/.test(value) && lengthsOf(value, 0).every((length) => length <= 1)],
  [['clip-path'], (value) => /^inset\((?:[5-9]\d|100)%|^circle\(0/.test(value)],
]

const SIZES = ['width', 'height', 'max-width', 'max-height']
const PROPERTIES: ReadonlySet<string> = new Set([
  ...HIDING.flatMap(([properties]) => properties),
  ...SIZES,
  ...['overflow', 'color', 'text-fill-color', 'background'],
])

/** Whether a style hides an element and its descendants, whatever surrounds it. */
export const hides = (style: Style): boolean =>
  HIDING.some(([properties, hides]) => properties.some((property) => hides(valueOf(style, property)))) ||
  (/hidden|clip/.test(valueOf(style, 'overflow')) &&
    SIZES.some((property) => lengthOf(valueOf(style, property), 16) <= 2)) ||
  // A clear colour.
  (readColor(inkOf(style))?.alpha() ?? 1) < 0.1

/** The text colour; empty when the style sets none. */
export const inkOf = (style: Style): string => valueOf(style, 'text-fill-color') || valueOf(style, 'color')

/** The background colour; empty when the style sets none, or a transparent one. */
export const backgroundOf = (style: Style): string => {
  const value = valueOf(style, 'background')
  return /^(?:none|inherit|initial|unset|transparent)?$/.test(value) ? '' : value
}

const WORD = /#[\da-f]+|[a-z]+(?:\([^()]*\))?/g

/**
 * The first colour of a value; null for pictures, and for colours that only browsers can compute.
 */
function readColor(value: string): ColorInstance | null {
  if (/url\(|gradient\(/.test(value)) return null
  for (const [word] of value.matchAll(WORD)) {
    try {
      return new Color(word).rgb()
    } catch {
      // Not a colour.
    }
  }
  return null
}

/** A smaller difference (of 255) between text and background is invisible. */
const SEEN = 17

/** Whether text cannot be distinguished from its background. */
export function isLost(ink: string, background: string): boolean {
  const [letters, behind] = [readColor(ink), readColor(background)]
  if (letters === null || behind === null) return ink !== '' && ink === background
  return [0, 1, 2].every((at) => Math.abs(letters.array()[at]! - behind.array()[at]!) < SEEN)
}
