/** Which styles keep text from being seen: a short list of plain ways. Whatever else one may think of is for the checker to find. */

/** What is said of a property, in lower case and without the prefixes of browsers. */
interface Said {
  readonly value: string
  readonly isImportant: boolean
}
/** By property; only of those that tell what is seen. */
export type Style = ReadonlyMap<string, Said>

/** Longer values are cut: what hides is said shortly. */
const VALUE_MAX = 200

/** The declarations of a style attribute or a rule. */
export function readStyle(text: string): Style {
  let style: Style = new Map()
  for (const declaration of text.replace(/\/\*[\s\S]*?(?:\*\/|$)/g, '').split(';')) {
    const colon = declaration.indexOf(':')
    const name = declaration.slice(0, Math.max(0, colon)).slice(-VALUE_MAX).trim().toLowerCase()
    const property = name
      .replace(/^-(?:webkit|moz|ms|o)-/, '')
      .replace(/^(background|overflow)-(?:color|image|x|y)$/, '$1')
    if (!PROPERTIES.has(property)) continue
    const written = declaration
      .slice(colon + 1, colon + 1 + VALUE_MAX)
      .replace(/\s+/g, ' ')
      .trim()
      .toLowerCase()
    const value = written.replace(/ ?! ?important$/, '')
    style = layStyle(style, new Map([[property, { value, isImportant: value !== written }]]))
  }
  return style
}

/** Two styles of one element: what the upper one says counts, unless the lower one says it as important. */
export function layStyle(lower: Style, upper: Style): Style {
  const style = new Map(lower)
  for (const [property, said] of upper) {
    if (said.isImportant || style.get(property)?.isImportant !== true) style.set(property, said)
  }
  return style
}

const valueOf = (style: Style, property: string): string => style.get(property)?.value ?? ''

/** Of an ordinary screen and its letters. */
const PIXELS = new Map(Object.entries({ px: 1, pt: 4 / 3, em: 16, rem: 16, vw: 12.8, vh: 8 }))

/** The lengths in a value, in pixels; what has another unit, as angles do, is 0. */
const lengthsOf = (value: string, percent: number): number[] =>
  Array.from(value.matchAll(/([+-]?(?:\d+\.?\d*|\.\d+))(%|[a-z]+)?/g), ([, number, unit = 'px']) =>
    unit === '%' ? Number(number) * percent : Number(number) * (PIXELS.get(unit) ?? 0),
  )

/** Beyond the edges of every screen. */
const isFarOut = (value: string, percent = 12.8): boolean =>
  lengthsOf(value, percent).some((length) => length <= -500 || length >= 2_000)

/** What a value begins with, if that is a length: names of variables have numbers in them, too. */
const lengthOf = (value: string, percent: number): number =>
  /^[+-]?[\d.]/.test(value) ? (lengthsOf(value, percent)[0] ?? Infinity) : Infinity

const isTiny = (value: string): boolean => lengthOf(value, 0.16) < 4

/** Less of it is next to nothing. */
const isFaint = (value: string): boolean => lengthOf(value, 0.01) < 0.1

const isPoint = (value: string): boolean => lengthOf(value, 16) <= 2

/** The arguments of a function in a value. */
const callOf = (value: string, name: RegExp): string => new RegExp(`${name.source}\\(([^()]*)`).exec(value)?.[1] ?? ''

const HIDING: readonly (readonly [properties: readonly string[], hides: (value: string) => boolean])[] = [
  [['display'], (value) => value === 'none'],
  [['visibility', 'content-visibility'], (value) => value === 'hidden' || value === 'collapse'],
  [['opacity', 'zoom', 'scale'], isFaint],
  [['filter'], (value) => isFaint(callOf(value, /opacity/))],
  [['font-size'], isTiny],
  [['font'], (value) => /(?:^| )0[a-z]*(?:\/| |$)/.test(value)],
  [['left', 'right', 'top', 'bottom', 'inset', 'text-indent'], isFarOut],
  // Columns are put beside each other by margins of minus their width.
  [['margin', 'margin-left', 'margin-top'], (value) => !/[%hw]/.test(value) && isFarOut(value)],
  // Sliders move by their own width.
  [['translate'], (value) => isFarOut(value, 0)],
  [['transform'], (value) => isFaint(callOf(value, /scale\w*/)) || isFarOut(value, 0)],
  [['clip'], (value) => /^rect\([\d.]/.test(value) && lengthsOf(value, 0).every((length) => length <= 1)],
  [['clip-path'], (value) => /^inset\((?:[5-9]\d|100)%|^circle\(0/.test(value)],
]

const SIZES = ['width', 'height', 'max-width', 'max-height']
const PROPERTIES: ReadonlySet<string> = new Set([
  ...HIDING.flatMap(([properties]) => properties),
  ...SIZES,
  ...['overflow', 'color', 'text-fill-color', 'background'],
])

/** Whether a style hides an element with all that is in it, whatever is around. */
export const hides = (style: Style): boolean =>
  HIDING.some(([properties, hides]) => properties.some((property) => hides(valueOf(style, property)))) ||
  (/hidden|clip/.test(valueOf(style, 'overflow')) && SIZES.some((property) => isPoint(valueOf(style, property)))) ||
  isClear(inkOf(style))

/** The colour of letters; empty when the style does not say. */
export const inkOf = (style: Style): string => valueOf(style, 'text-fill-color') || valueOf(style, 'color')

/** What is behind them; empty when the style does not say, or lets through what is behind it. */
export const backgroundOf = (style: Style): string => {
  const value = valueOf(style, 'background')
  return /^(?:none|inherit|initial|unset|transparent)?$/.test(value) ? '' : value
}

type Color = readonly [red: number, green: number, blue: number, cover: number]

const NAMED = new Map<string, Color>([
  ['white', [255, 255, 255, 1]],
  ['black', [0, 0, 0, 1]],
  ['transparent', [0, 0, 0, 0]],
])
const COLOR = /#(?:[\da-f]{3,4}){1,2}(?![\da-f])|rgba?\([^()]*\)|\b(?:white|black|transparent)\b/

/** The first colour of a value; null for pictures, and for what only browsers know. */
function readColor(value: string): Color | null {
  const written = /url\(|gradient\(/.test(value) ? undefined : COLOR.exec(value)?.[0]
  if (written === undefined) return null
  if (!written.startsWith('#') && !written.startsWith('rgb')) return NAMED.get(written) ?? null
  if (written.startsWith('rgb')) {
    const [red = 0, green = 0, blue = 0, cover = 1] = lengthsOf(written, 2.55)
    return [red, green, blue, cover]
  }
  const digits = written.length <= 5 ? written.slice(1).replace(/./g, '$&$&') : written.slice(1)
  const [red = 0, green = 0, blue = 0, cover = 255] = (digits.match(/../g) ?? []).map((pair) =>
    Number.parseInt(pair, 16),
  )
  return [red, green, blue, cover / 255]
}

const isClear = (ink: string): boolean => (readColor(ink)?.[3] ?? 1) < 0.1

/** Less than this between letters and what is behind them (of 255) is not seen. */
const SEEN = 17

/** Whether letters cannot be told from what is behind them. */
export function isLost(ink: string, background: string): boolean {
  const [letters, behind] = [readColor(ink), readColor(background)]
  if (letters === null || behind === null) return ink !== '' && ink === background
  return [0, 1, 2].every((at) => Math.abs(letters[at]! - behind[at]!) < SEEN)
}
