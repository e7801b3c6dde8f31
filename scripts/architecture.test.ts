import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'

const root = resolve(import.meta.dirname, '..')

test('the way of one post in ARCHITECTURE.md names at most twenty files, and each exists', () => {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const section = text.slice(text.indexOf('## The way of one post'), text.indexOf('## Reading'))
  const files = [...section.matchAll(/^ ?(?<number>\d+) {2}(?<path>apps\/\S+)/gm)].map(
    ({ groups }) => [Number(groups?.['number']), groups?.['path'] ?? ''] as const,
  )
  expect(files.map(([number]) => number)).toEqual(files.map((_, index) => index + 1))
  expect(files.length).toBeGreaterThan(10)
  expect(files.length).toBeLessThanOrEqual(20)
  expect(files.filter(([, path]) => !existsSync(join(root, path)))).toEqual([])
})
