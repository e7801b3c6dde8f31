import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { moveIn } from './build.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-build-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test('keeps the scripts and styles of one build before, which servers and open pages still refer to', () => {
  const aside = join(folder, '.next')
  const to = join(folder, 'client')
  const before = join(folder, 'client-before')
  for (const build of ['first', 'second', 'third']) {
    mkdirSync(aside)
    writeFileSync(join(aside, 'index.html'), build)
    moveIn({ aside, to, before })
  }
  expect([to, before].map((path) => readFileSync(join(path, 'index.html'), 'utf8'))).toEqual(['third', 'second'])
  // A build that was interrupted between the two moves.
  rmSync(to, { recursive: true })
  mkdirSync(aside)
  moveIn({ aside, to, before })
  expect(readFileSync(join(before, 'index.html'), 'utf8')).toBe('second')
})
