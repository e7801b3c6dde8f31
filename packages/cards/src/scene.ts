/**
 * The picture as SVG: the landscape of night.svg, and over it the texts as outlines. No text is
 * ever part of the markup, so that none can be taken for it.
 */
import { readFileSync } from 'node:fs'
import type { Card } from './card.ts'
import { toDrawable } from './drawable.ts'
import { glyphOf } from './glyphs.ts'
import { setTitle, shorten } from './lines.ts'

/** The colours of the theme 夜. */
const TEXT = '#e6f1ee'
const MUTED = '#9db7b4'
const VERMILION = '#ff6b5a'

const LEFT = 80
const WIDTH = 1_040
/** The title is in the middle between the heading and the foot. */
const TITLE_MIDDLE = 330
const LINE_HEIGHT = 1.32
/** Of the face: what is above the baseline of the middle of a character. */
const MIDDLE_OF_EM = 0.38

const landscape = readFileSync(new URL('./night.svg', import.meta.url), 'utf8').replace(/<\/svg>\s*$/, '')

/** Null where the fonts have too little of the title. */
export function drawScene(card: Card): string | null {
  const title = toDrawable(card.title)
  if (title === null || title === '') return null
  const { size, lines } = setTitle(title, WIDTH, measure)
  const top = TITLE_MIDDLE - ((lines.length - 1) * size * LINE_HEIGHT) / 2
  const titles = lines.map((line, index) =>
    write(line, { x: LEFT - hang(line, size), middle: top + index * size * LINE_HEIGHT, size, fill: TEXT }),
  )
  const category = shorten(toDrawable(card.category) ?? '', 17, measure)
  return [
    landscape,
    write('忍板', { x: 166, middle: 96, size: 50, fill: TEXT }),
    write(category, { x: 300, middle: 98, size: 32, fill: MUTED }),
    ...titles,
    writeFoot(card),
    '</svg>',
  ].join('')
}

function writeFoot({ posts, seal }: Card): string {
  const size = 34
  const middle = 566
  let x = LEFT
  const parts: string[] = []
  if (seal !== null) {
    const width = measure(seal) * size
    parts.push(
      `<rect x="${x}" y="${middle - 29}" width="${round(width + 36)}" height="58" rx="3" fill="none" stroke="${VERMILION}" stroke-width="3"/>`,
      write(seal, { x: x + 18, middle, size, fill: VERMILION }),
    )
    x += width + 68
  }
  if (posts !== null) parts.push(write(posts, { x, middle, size, fill: TEXT }))
  return parts.join('')
}

/** A wide bracket is empty on its left; it hangs out, so that the lines begin in one line. */
const hang = (line: string, size: number): number => (/^[（［｛〔〈《「『【]/.test(line) ? size * 0.42 : 0)

interface Place {
  readonly x: number
  /** Height of the middle of the characters. */
  readonly middle: number
  readonly size: number
  readonly fill: string
}

function write(text: string, { x, middle, size, fill }: Place): string {
  let left = x
  const baseline = middle + size * MIDDLE_OF_EM
  const outlines = [...text].map((character) => {
    const glyph = glyphOf(character.codePointAt(0)!)
    if (glyph === null) return ''
    const scale = size / glyph.unitsPerEm
    const outline = `<path transform="matrix(${scale} 0 0 ${-scale} ${round(left)} ${round(baseline)})" d="${glyph.outline}"/>`
    left += glyph.advance * size
    return outline
  })
  return `<g fill="${fill}">${outlines.join('')}</g>`
}

function measure(text: string): number {
  let width = 0
  for (const character of text) width += glyphOf(character.codePointAt(0)!)?.advance ?? 0
  return width
}

const round = (value: number): number => Math.round(value * 100) / 100
