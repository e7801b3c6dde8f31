import { expect, test } from 'vitest'
import { withImports } from './chunks.ts'

const filesOf = (imports: Readonly<Record<string, readonly string[]>>, ...keys: string[]) =>
  withImports(
    Object.fromEntries(
      Object.entries(imports).map(([key, of]) => [key, { file: key, imports: of, isEntry: key === 'entry' }]),
    ),
    keys,
  ).map(({ file }) => file)

test('imported chunks come before the chunk that imports them, each once, without the entry', () => {
  const imports = { entry: [], base: ['entry'], list: ['base'], page: ['list', 'base'], other: ['base'] }
  expect(filesOf(imports, 'page', 'other', 'unknown')).toEqual(['base', 'list', 'page', 'other'])
})

test('chunks that import each other are both found', () => {
  expect(filesOf({ one: ['two'], two: ['one'] }, 'one')).toEqual(['two', 'one'])
})
