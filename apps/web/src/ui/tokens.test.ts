import { describe, expect, test } from 'vitest'
import sheet from './tokens.css?raw'

type Theme = ReadonlyMap<string, string>

/** The declarations of the first block with this selector. */
function declarationsOf(selector: string): Theme {
  const start = sheet.indexOf(`${selector} {`)
  if (start === -1) throw new Error(`${selector} is missing`)
  const block = sheet.slice(start, sheet.indexOf('}', start))
  return new Map(Array.from(block.matchAll(/^\s*([\w-]+):\s*([^;]+);/gm), ([, name, value]) => [name!, value!]))
}

const night = declarationsOf(':root')
const paper = declarationsOf(":root[data-theme='paper']")

/** WCAG 2.2: relative luminance, and the contrast of two colours. */
function luminance(hex: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(hex.slice(at, at + 2), 16) / 255
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!
}

function contrast(theme: Theme, one: string, other: string): number {
  const [dark, light] = [one, other]
    .map((name) => {
      const value = theme.get(`--${name}`)
      if (value === undefined || !/^#[0-9a-f]{6}$/.test(value)) throw new Error(`--${name} is ${value}`)
      return luminance(value)
    })
    .toSorted((a, b) => a - b)
  return (light! + 0.05) / (dark! + 0.05)
}

const SURFACES = ['ink0', 'ink1', 'ink2', 'ink3']

/** Text and the surfaces on which it stands. */
const TEXTS: readonly (readonly [string, readonly string[]])[] = [
  ['text', [...SURFACES, 'sky-top', 'sky-foot', 'ridge-far', 'ridge-mid', 'ridge-front']],
  ['bright', [...SURFACES, 'sky-top', 'sky-foot']],
  ['muted', SURFACES],
  ['teal', SURFACES],
  ['teal-light', SURFACES],
  ['bamboo', SURFACES],
  ['vermilion', SURFACES],
  ['amber', SURFACES],
  ['gold', SURFACES],
  ['on-tone', ['teal', 'teal-light', 'bamboo', 'bamboo-light', 'vermilion', 'amber']],
  ['on-deep', ['teal-deep']],
  ['dark-text', ['dark']],
  ['dark-teal', ['dark']],
]

/** Borders of controls, focus rings and figures, against what is beside them. */
const SHAPES: readonly (readonly [string, readonly string[]])[] = [
  ['edge', SURFACES],
  ['teal', ['sky-top', 'sky-foot']],
  ['figure-line', SURFACES],
]

describe.each([
  ['night', night],
  ['paper', paper],
] as const)('in the theme %s', (_, theme) => {
  test.each(TEXTS.flatMap(([text, grounds]) => grounds.map((ground) => [text, ground] as const)))(
    'text in --%s on --%s has a contrast of 4.5 and more',
    (text, ground) => expect(contrast(theme, text, ground)).toBeGreaterThanOrEqual(4.5),
  )

  test.each(SHAPES.flatMap(([shape, grounds]) => grounds.map((ground) => [shape, ground] as const)))(
    '--%s is distinguished from --%s by a contrast of 3 and more',
    (shape, ground) => expect(contrast(theme, shape, ground)).toBeGreaterThanOrEqual(3),
  )
})

test('the paper that the system requests is the paper that a visitor chooses', () => {
  expect(declarationsOf(":root:not([data-theme='night'])")).toEqual(paper)
})

test('paper sets every colour that night sets', () => {
  expect([...paper.keys()].toSorted()).toEqual([...night.keys()].toSorted())
})
