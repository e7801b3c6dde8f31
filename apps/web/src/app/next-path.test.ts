import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextPath } from './next-path.ts'
import { paths } from './paths.ts'

const read = (next: string) => nextPath(`?next=${encodeURIComponent(next)}`)

test('an address of the board is the next page, with its query and fragment', () => {
  expect(read('/thread/1?after=20#21')).toBe('/thread/1?after=20#21')
  expect(nextPath(paths.login('/create?category=world').slice('/login'.length))).toBe('/create?category=world')
})

test('without an address, or with a foreign one, the next page is the profile', () => {
  const foreign = ['//evil.example', '/\\evil.example', '/\t/evil.example', '/./\\evil', '/.//evil.example', 'evil']
  for (const next of ['', ...foreign, 'https://evil.example/', 'javascript:alert(1)'])
    expect(read(next)).toBe('/profile')
  expect(nextPath('')).toBe('/profile')
})

test('for any input, the next page is on the board', () => {
  const pieces = fc.array(fc.constantFrom('/', '\\', '.', '..', '\t', '\n', '@', ':', '?', '#', 'evil.example', '%2f'))
  fc.assert(
    fc.property(pieces, (parts) => {
      const path = read(`/${parts.join('')}`)
      expect(new URL(path, 'https://board.example').origin).toBe('https://board.example')
      expect(path).toMatch(/^\/(?![/\\])/)
    }),
  )
})

test('the profile is the default and is omitted from the address of the log-in page', () => {
  expect(paths.login('/profile')).toBe('/login')
  expect(paths.register('/thread/1')).toBe('/register?next=%2Fthread%2F1')
})
