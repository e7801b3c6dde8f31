/**
 * Outlines of characters. The fonts come in slices of some hundred characters, of which only the
 * needed ones are read: a whole Japanese font takes seconds. The machine's own fonts are never
 * used, because a fresh one has none, and a picture must be the same everywhere.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { create, type Font } from 'fontkit'

export interface Glyph {
  /** Path data in units of the font, upwards. */
  readonly outline: string
  readonly unitsPerEm: number
  /** Width in em. */
  readonly advance: number
}

interface Slice {
  readonly file: string
  readonly ranges: readonly (readonly [from: number, to: number])[]
  font: Font | null
}

const require = createRequire(import.meta.url)

/** In the order of preference. */
const slices: readonly Slice[] = [...readFamily('zen-antique', 400), ...readFamily('noto-emoji', 700)]

const known = new Map<number, Glyph>()

/** Null for characters that no font has. */
export function glyphOf(codePoint: number): Glyph | null {
  const found = known.get(codePoint) ?? readGlyph(codePoint)
  if (found !== null) known.set(codePoint, found)
  return found
}

function readGlyph(codePoint: number): Glyph | null {
  for (const slice of slices) {
    if (!slice.ranges.some(([from, to]) => codePoint >= from && codePoint <= to)) continue
    slice.font ??= create(readFileSync(slice.file)) as Font
    const { font } = slice
    // A slice names whole blocks, also characters that the font leaves out.
    if (!font.hasGlyphForCodePoint(codePoint)) continue
    const glyph = font.glyphForCodePoint(codePoint)
    const { unitsPerEm } = font
    return { outline: glyph.path.toSVG(), unitsPerEm, advance: glyph.advanceWidth / unitsPerEm }
  }
  return null
}

function readFamily(name: string, weight: number): Slice[] {
  const folder = dirname(require.resolve(`@fontsource/${name}/package.json`))
  const parts = JSON.parse(readFileSync(join(folder, 'unicode.json'), 'utf8')) as Record<string, string>
  return Object.entries(parts).map(([part, ranges]) => ({
    file: join(folder, 'files', `${name}-${part.replaceAll(/[[\]]/g, '')}-${weight}-normal.woff`),
    ranges: ranges.split(',').map(readRange),
    font: null,
  }))
}

/** As CSS writes it: U+3042, or U+3041-3096. */
function readRange(range: string): readonly [number, number] {
  const [from = '', to = from] = range.trim().replace(/^U\+/i, '').split('-')
  return [Number.parseInt(from, 16), Number.parseInt(to, 16)]
}
