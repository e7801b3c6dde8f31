import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findBrokenCitations } from './citations.mjs'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-citations-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** The broken citations of a repository with these files. */
function check(files: Readonly<Record<string, string>>): string[] {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return findBrokenCitations(folder, Object.keys(files))
}

test('names the file, the line and the working paper that is cited', () => {
  const files = {
    'apps/a.ts': '// Fine.\n/** Clears after 3 s (SPEC §9). */\n',
    'apps/b.css': "/* DESIGN's word */",
    'docs/c.md': 'As COPY.md and CRAFT §4.5 say.',
    '.oxlintrc.json': '// GATEWAY.md',
  }
  expect(check(files)).toEqual([
    'apps/a.ts:2: SPEC §9 is not in the repository',
    'apps/b.css:1: DESIGN is not in the repository',
    'docs/c.md:1: COPY.md is not in the repository',
    'docs/c.md:1: CRAFT §4.5 is not in the repository',
    '.oxlintrc.json:1: GATEWAY.md is not in the repository',
  ])
})

test('accepts COPY as SQL, sections of standards, and words that only begin alike', () => {
  const files = {
    'a.ts':
      '// Rows go in through COPY … FROM STDIN.\n// RFC 9110 §13.1.2, AGPL §13\nconst LOOK_BACK_DAYS = BAD_GATEWAY',
  }
  expect(check(files)).toEqual([])
})

test('finds relative links of Markdown without a target, from the folder of the file', () => {
  const files = {
    'README.md': '[a](docs/a.md) [b](docs/b.md) ![c](c.png)\n<img src="docs/d.png">',
    'docs/a.md': '[up](../README.md) [down](x/y.md) [root](/README.md) [folder](.) [net](https://example.jp/z.md)',
  }
  expect(check(files)).toEqual([
    'README.md:1: docs/b.md does not exist',
    'README.md:1: c.png does not exist',
    'README.md:2: docs/d.png does not exist',
    'docs/a.md:1: docs/x/y.md does not exist',
  ])
})

test('ignores links within code in Markdown', () => {
  expect(check({ 'a.md': '`[x](none.md)`\n```sh\necho [x](none.md)\n```\n[x](none.md)' })).toEqual([
    'a.md:5: none.md does not exist',
  ])
})

test('finds paths of missing documents in comments, and accepts decisions by their number', () => {
  const files = {
    'docs/decisions/0026-real.md': '# Real',
    'a.ts': '// docs/decisions/0026 gives the reasons; docs/decisions/0099 does not.\n// See docs/bench.md.',
    'ops/b.yml': '# docs/gone.md',
  }
  expect(check(files)).toEqual([
    'a.ts:1: docs/decisions/0099 does not exist',
    'a.ts:2: docs/bench.md does not exist',
    'ops/b.yml:1: docs/gone.md does not exist',
  ])
})

test('ignores a path in quotes, and one after a slash', () => {
  expect(check({ 'a.ts': "write('docs/a.md')\nfetch(`/docs/openapi.json`) // https://example.jp/docs/a.md" })).toEqual(
    [],
  )
})

test('finds anchors without a heading, in links and in comments', () => {
  const files = {
    'docs/product.md': '# 約束\n## Thread lists\n## Thread lists\n## `x` and [y](product.md): z!\n## From 0.1 to 0.2',
    'a.ts': '// docs/product.md#thread-lists docs/product.md#likes.',
    'b.md': '[1](docs/product.md#約束) [2](docs/product.md#thread-lists-1) [3](docs/product.md#x-and-y-z) [4](#none)',
    'c.md': '[5](docs/product.md#from-01-to-02)',
  }
  expect(check(files)).toEqual(['a.ts:1: docs/product.md has no heading #likes', 'b.md:1: b.md has no heading #none'])
})
