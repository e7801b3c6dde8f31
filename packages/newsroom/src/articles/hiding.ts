/** Which declarations of a style keep an element, or its text, from being seen. */
import { isLost, readColor, WHITE } from './colors.ts'
import type { Declaration } from './css.ts'
import type { Style, Styled } from './styles.ts'

/** An ordinary screen, and its letters. */
const SCREEN_PX = 1_280
const LETTER_PX = 16

const LENGTH = /^([+-]?(?:\d+\.?\d*|\.\d+))([a-z]+|%)?$/
const PER_UNIT = new Map(
  Object.entries({
    ...{ px: 1, pt: 4 / 3, pc: 16, in: 96, cm: 38, mm: 3.8, em: LETTER_PX, rem: LETTER_PX, ex: 8, ch: 8 },
    ...{ vw: SCREEN_PX / 100, vh: 8, vmin: 8, vmax: SCREEN_PX / 100, vi: SCREEN_PX / 100, vb: 8, '%': SCREEN_PX / 100 },
    ...{ dvw: SCREEN_PX / 100, svw: SCREEN_PX / 100, lvw: SCREEN_PX / 100, dvh: 8, svh: 8, lvh: 8 },
  }),
)

/** A length on an ordinary screen; null for what is none. Without a unit, as old pages write, it is in pixels. */
function toPixels(text: string): number | null {
  const [, written, unit = 'px'] = LENGTH.exec(text) ?? []
  const per = PER_UNIT.get(unit)
  return written === undefined || per === undefined ? null : Number(written) * per
}

const numbersOf = (text: string): number[] =>
  (text.match(/[+-]?(?:\d+\.?\d*|\.\d+)%?/g) ?? []).map(
    (found) => Number.parseFloat(found) / (found.endsWith('%') ? 100 : 1),
  )

const lengthsOf = (text: string): number[] => text.split(/[\s,()*]+/).map((piece) => toPixels(piece) ?? 0)

/** Beyond the left or upper edge, with all that is in it; far enough to the right or down that nobody goes there. */
const FAR_OUT_PX = -500
const FAR_PX = 2_000
const isFarOut = (value: string): boolean =>
  value.startsWith('calc(')
    ? value.includes('-') && lengthsOf(value).some((length) => Math.abs(length) >= -2 * FAR_OUT_PX)
    : lengthsOf(value).some((length) => length <= FAR_OUT_PX || length >= FAR_PX)
/** Columns are put beside each other by margins of minus their width, and pictures beyond their column by half of the screen. */
const isMarginFarOut = (value: string): boolean => !/[%hw]/.test(value) && isFarOut(value)

/** So much smaller, or less of it, is as good as nothing. */
const NEXT_TO_NOTHING = 0.1
const isNextToNothing = (value: number | undefined): boolean =>
  value !== undefined && value >= 0 && value < NEXT_TO_NOTHING

/** The arguments of a function in a value: `opacity(0)` in `blur(1px) opacity(0)`. */
const callOf = (value: string, name: string): string | null =>
  new RegExp(`(?:^|[ )])${name}\\(([^()]*)\\)`).exec(value)?.[1] ?? null

function isTransformedAway(value: string): boolean {
  for (const name of ['scale', 'scalex', 'scaley', 'scale3d', 'matrix']) {
    const call = callOf(value, name)
    if (
      call !== null &&
      numbersOf(call)
        .slice(0, name === 'matrix' ? 1 : 2)
        .some(isNextToNothing)
    )
      return true
  }
  for (const name of ['rotatex', 'rotatey']) if (/^-?90deg$/.test(callOf(value, name) ?? '')) return true
  return ['translate', 'translatex', 'translatey', 'translate3d'].some((name) => isMovedAway(callOf(value, name) ?? ''))
}

/** Percent are of the element itself: sliders move by one of it. */
const isMovedAway = (value: string): boolean => isFarOut(value.replaceAll(/[+-]?(?:1\d\d|\d\d?)(?:\.\d+)?%/g, '0'))

function isClippedAway(value: string): boolean {
  const inset = callOf(value, 'inset')
  if (inset !== null) {
    const [top = 0, right = top, bottom = top, left = right] = numbersOf(inset.split('round', 1)[0]!)
    return inset.includes('%') && (top + bottom >= 1 || left + right >= 1)
  }
  const round = callOf(value, 'circle') ?? callOf(value, 'ellipse')
  if (round !== null) return numbersOf(round.split('at', 1)[0]!).some((size) => size >= 0 && size < 0.01)
  const corners = callOf(value, 'polygon')
  return corners !== null && areaOf(numbersOf(corners)) < 0.01
}

/** Of a polygon: x and y of its corners in turn. */
function areaOf(corners: readonly number[]): number {
  let doubled = 0
  for (let at = 0; at + 1 < corners.length; at += 2) {
    const [x, y] = [corners[at]!, corners[at + 1]!]
    const [nextX, nextY] = at + 3 < corners.length ? [corners[at + 2]!, corners[at + 3]!] : [corners[0]!, corners[1]!]
    doubled += x * nextY - nextX * y
  }
  return Math.abs(doubled) / 2
}

function isCutAway(value: string): boolean {
  const [top, right, bottom, left] = lengthsOf(callOf(value, 'rect') ?? 'auto')
  return top !== undefined && right !== undefined && bottom !== undefined && left !== undefined
    ? Math.max(0, right - left) * Math.max(0, bottom - top) <= 4
    : false
}

/** For each property, whether a value hides an element with all that is in it. */
const HIDING = new Map<string, (value: string) => boolean>([
  ['display', (value) => value === 'none'],
  ['visibility', (value) => value === 'hidden' || value === 'collapse'],
  ['content-visibility', (value) => value === 'hidden'],
  ['opacity', (value) => isNextToNothing(numbersOf(value)[0])],
  ['filter', (value) => isNextToNothing(numbersOf(callOf(value, 'opacity') ?? '')[0])],
  ['zoom', (value) => isNextToNothing(numbersOf(value)[0])],
  ['scale', (value) => numbersOf(value).slice(0, 2).some(isNextToNothing)],
  ['translate', isMovedAway],
  ['transform', isTransformedAway],
  ['clip', isCutAway],
  ['clip-path', isClippedAway],
  ...['left', 'right', 'top', 'bottom', 'inset', 'text-indent'].map((name): [string, typeof isFarOut] => [
    name,
    isFarOut,
  ]),
  ...['margin', 'margin-left', 'margin-right', 'margin-top'].map((name): [string, typeof isFarOut] => [
    name,
    isMarginFarOut,
  ]),
])

/** Sizes that leave no room for text, where what goes beyond is cut off. */
const SIZES: ReadonlySet<string> = new Set(
  ['', 'max-'].flatMap((bound) => ['width', 'height', 'inline-size', 'block-size'].map((name) => bound + name)),
)
const OVERFLOWS = ['overflow', 'overflow-x', 'overflow-y']
const NO_ROOM_PX = 2
const leavesNoRoom = (value: string): boolean => (toPixels(value) ?? NO_ROOM_PX + 1) <= NO_ROOM_PX

const OF_TEXT = ['color', 'text-fill-color', 'background', 'background-color', 'background-image', 'font', 'font-size']
const OF_USE: ReadonlySet<string> = new Set([...HIDING.keys(), ...SIZES, ...OVERFLOWS, ...OF_TEXT])

/** Whether a property tells anything about what is seen. */
export const isOfUse = (property: string): boolean => OF_USE.has(property)

/** Whether a declaration may hide something, as far as it tells by itself. */
export function mayHide({ property, value }: Declaration): boolean {
  if (property === 'color' || property === 'text-fill-color') {
    const color = readColor(value)
    return color !== null && isLost(color, WHITE)
  }
  if (property === 'font' || property === 'font-size')
    return (readSize(property, value, LETTER_PX) ?? LETTER_PX) < SEEN_PX
  if (SIZES.has(property)) return leavesNoRoom(value)
  if (OVERFLOWS.includes(property)) return value === 'hidden' || value === 'clip'
  return HIDING.get(property)?.(value) ?? false
}

/** What hides an element with all that is in it; null when nothing does. */
export function findHiding(style: Style): Styled | null {
  const isCut = OVERFLOWS.some((name) => /hidden|clip/.test(style.get(name)?.value ?? ''))
  for (const [property, styled] of style) {
    if (HIDING.get(property)?.(styled.value) === true) return styled
    if (isCut && SIZES.has(property) && leavesNoRoom(styled.value)) return styled
  }
  return null
}

/** Smaller letters are not seen. */
const SEEN_PX = 4

/** A size of letters within others; null for what says none. */
function readSize(property: string, value: string, around: number): number | null {
  const written =
    property === 'font' ? value.split(/[ /]/).find((piece) => LENGTH.test(piece) && !/^[1-9]00$/.test(piece)) : value
  const [, size, unit] = LENGTH.exec(written ?? '') ?? []
  if (size === undefined) return null
  return unit === 'em' ? Number(size) * around : unit === '%' ? (Number(size) / 100) * around : toPixels(written ?? '')
}

/** What is inherited of how letters look. */
export interface Letters {
  /** In pixels, and what says so. */
  readonly size: number
  readonly sized: Styled | null
  /** Null where nobody says it. */
  readonly color: Styled | null
  readonly background: Styled | null
}

export const ORDINARY_LETTERS: Letters = { size: LETTER_PX, sized: null, color: null, background: null }

const SAYS_NOTHING = /^(?:inherit|initial|unset|revert|revert-layer|currentcolor|none|)$/

/** How letters look in an element of such a style, within others. */
export function readLetters(style: Style, around: Letters): Letters {
  const saying = (name: string): Styled | null => {
    const styled = style.get(name)
    return styled === undefined || SAYS_NOTHING.test(styled.value) ? null : styled
  }
  const background = saying('background')
  const font = saying('font')
  const sized = saying('font-size') ?? font
  const size = sized === null ? null : readSize(sized === font ? 'font' : 'font-size', sized.value, around.size)
  return {
    size: size ?? around.size,
    sized: size === null ? around.sized : sized,
    color: saying('text-fill-color') ?? saying('color') ?? around.color,
    background: background !== null && readColor(background.value)?.[3] !== 0 ? background : around.background,
  }
}

/** What keeps letters from being seen: their size, or a colour like that behind them. Pages are white unless they say something else. */
export function findFading({ size, sized, color, background }: Letters): Styled | null {
  if (size < SEEN_PX) return sized
  const ink = color === null ? null : readColor(color.value)
  if (color === null) return null
  const behind = background === null ? WHITE : readColor(background.value)
  if (ink === null || behind === null) return color.value === background?.value ? color : null
  return isLost(ink, behind) ? (color.by === null ? (background ?? color) : color) : null
}
