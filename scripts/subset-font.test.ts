import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const WEB = join(import.meta.dirname, '../apps/web/src')

/** Components whose title is in the display face. */
const TITLED = 'Dialog|ConfirmDialog|ReasonDialog|RemoveDialog|Document|DocumentSection|Entrance|ProfileSection|Screen'

/** The code points of the font's files. */
function covered(): ReadonlySet<number> {
  const css = readFileSync(join(WEB, 'ui/fonts/fonts.css'), 'utf8')
  const points = new Set<number>()
  for (const [, first = '', last = first] of css.matchAll(/U\+([0-9a-f]+)(?:-([0-9a-f]+))?/g))
    for (let point = Number.parseInt(first, 16); point <= Number.parseInt(last, 16); point += 1) points.add(point)
  return points
}

/** Fixed titles in the sources. */
function titles(): string[] {
  const sources = globSync('**/*.tsx', { cwd: WEB }).map((file) => readFileSync(join(WEB, file), 'utf8'))
  const patterns = [/<h1\b[^>]*>([^<{]+)</g, new RegExp(`<(?:${TITLED})\\b[^<>]*?\\btitle="([^"]+)"`, 'g')]
  return sources.flatMap((source) =>
    patterns.flatMap((pattern) => [...source.matchAll(pattern)].map(([, text = '']) => text)),
  )
}

test('the display face has every character of the fixed titles', () => {
  const points = covered()
  const found = titles()
  expect(found.length).toBeGreaterThan(50)
  const missing = found.filter((title) =>
    [...title.replaceAll(/\s/g, '')].some((one) => !points.has(one.codePointAt(0)!)),
  )
  expect(missing).toEqual([])
})
