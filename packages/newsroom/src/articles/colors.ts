/** Colours of style sheets, and whether one can be read on another. */

/** Red, green and blue from 0 to 255, and how much of them covers what is behind (0 to 1). */
export type Color = readonly [red: number, green: number, blue: number, cover: number]

export const WHITE: Color = [255, 255, 255, 1]

/** The names that are used for letters and what is behind them; others say nothing. */
const NAMES = new Map<string, Color>([
  ['transparent', [0, 0, 0, 0]],
  ['black', [0, 0, 0, 1]],
  ...['white', 'snow', 'ivory', 'floralwhite', 'ghostwhite', 'mintcream', 'azure', 'whitesmoke', 'seashell'].map(
    (name): [string, Color] => [name, WHITE],
  ),
  ...Object.entries({ red: '#f00', green: '#008000', blue: '#00f', navy: '#000080', yellow: '#ff0' }).flatMap(
    ([name, hex]): [string, Color][] => [[name, readHex(hex) ?? WHITE]],
  ),
  ...['gray', 'grey'].map((name): [string, Color] => [name, [128, 128, 128, 1]]),
])

function readHex(text: string): Color | null {
  if (!/^#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(text)) return null
  const digits =
    text.length <= 5 ? [...text.slice(1)].map((digit) => digit + digit) : (text.slice(1).match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, cover = 255] = digits.map((digit) => Number.parseInt(digit, 16))
  return [red, green, blue, cover / 255]
}

const FUNCTION = /^(rgb|hsl|hwb)a?\(([^()]*)\)$/

/** A part of a colour; percent are of `whole`. */
const part = (text: string | undefined, whole: number): number =>
  text?.endsWith('%') === true ? (Number.parseFloat(text) / 100) * whole : Number.parseFloat(text ?? '')

/** In lower case. Null for what is none, or one that only browsers know. */
export function readColor(text: string): Color | null {
  const named = NAMES.get(text) ?? readHex(text)
  if (named !== null) return named
  const [, name, inner = ''] = FUNCTION.exec(text) ?? []
  const [first, second, third, fourth] = inner.split(/[\s,/]+/).filter((piece) => piece !== '')
  const cover = fourth === undefined ? 1 : part(fourth, 1)
  const color: Color | null =
    name === 'rgb'
      ? [part(first, 255), part(second, 255), part(third, 255), cover]
      : name === 'hsl'
        ? fromHue(part(first, 360), part(second, 1), part(third, 1), cover)
        : name === 'hwb'
          ? fromWhiteness(part(first, 360), part(second, 1), part(third, 1), cover)
          : null
  return color === null || color.some(Number.isNaN) ? null : color
}

function fromHue(hue: number, saturation: number, lightness: number, cover: number): Color {
  const spread = saturation * Math.min(lightness, 1 - lightness)
  const [red = 0, green = 0, blue = 0] = [0, 8, 4].map((offset) => {
    const at = (offset + hue / 30) % 12
    return 255 * (lightness - spread * Math.max(-1, Math.min(at - 3, 9 - at, 1)))
  })
  return [red, green, blue, cover]
}

function fromWhiteness(hue: number, white: number, black: number, cover: number): Color {
  const [red, green, blue] = fromHue(hue, 1, 0.5, 1)
  const [first = 0, second = 0, third = 0] = [red, green, blue].map(
    (shade) => shade * (1 - white - black) + 255 * white,
  )
  return [first, second, third, cover]
}

/** Less than this between letters and what is behind them (of 255) is not seen. */
const SEEN = 17

/** Whether letters of a colour cannot be told from what is behind them. */
export function isLost(letters: Color, behind: Color): boolean {
  const cover = letters[3]
  return [0, 1, 2].every((at) => Math.abs(letters[at]! - behind[at]!) * cover < SEEN)
}
