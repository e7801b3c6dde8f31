import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listOffered, listSource, packSource } from './source-archive.mjs'

const root = dirname(import.meta.dirname)
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-source-'))
  write('package.json', JSON.stringify({ name: 'shinobi-ita', version: '9.9.9' }))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(path: string, text = path): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), text)
}

const git = (...words: string[]) => {
  const { status, stderr } = spawnSync('git', [
    '-C',
    folder,
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.jp',
    ...words,
  ])
  if (status !== 0) throw new Error(String(stderr))
}

test('lists the tracked files of a checkout as they are on disk, and untracked files that are built', () => {
  for (const path of ['apps/server/src/main.ts', 'apps/server/src/gone.ts', 'docs/a.md', '.gitignore']) write(path)
  write('.gitignore', '.env\ndata/\n')
  git('init', '--quiet')
  git('add', '.')
  rmSync(join(folder, 'apps/server/src/gone.ts'))
  for (const path of ['.env', 'data/secret', 'passwords.txt', 'apps/server/src/new.ts', 'apps/server/src/.env.local'])
    write(path)
  expect(listSource(folder, ['apps/server/src'])).toEqual(
    ['.gitignore', 'apps/server/src/main.ts', 'apps/server/src/new.ts', 'docs/a.md', 'package.json'].toSorted(),
  )
})

test('offers no file that operators edit, even a tracked one, because it may hold passwords', () => {
  for (const path of ['compose.yaml', '.npmrc', 'ops/systemd/shinobi-ita.env', 'Dockerfile']) write(path)
  git('init', '--quiet')
  git('add', '.')
  write('compose.yaml', 'POSTGRES_PASSWORD: himitsu')
  expect(listOffered(folder, [])).toEqual(['Dockerfile', 'package.json'])
})

test('lists the repository’s files of a folder without git, but no files of the operator', () => {
  const source = ['.npmrc', 'LICENSE', 'README.md', 'apps/web/src/a.tsx', 'package.json', 'scripts/start.mjs']
  const others = [
    '.env',
    '.env.production',
    'data/secret',
    'board-data/images/a.webp',
    'dump.sql',
    'backup.tar.zst',
    'tls.key',
  ]
  const made = [
    'node_modules/a/index.js',
    'apps/web/dist/a.js',
    'apps/web/node_modules/b.js',
    'e2e/.output/a.json',
    'ops/.env',
  ]
  for (const path of [...source, ...others, ...made]) write(path)
  writeFileSync(join(folder, 'package.json'), '{}')
  expect(listSource(folder, [])).toEqual(source.toSorted())
})

test('the unpacked archive of this source, without its history, is packed to the same bytes', async () => {
  const paths = listOffered(root, [])
  const bytes = await packSource(root, paths)
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
  const unpacked = spawnSync('tar', ['xz', '--strip-components=1', '-C', folder], { input: bytes })
  expect([unpacked.status, String(unpacked.stderr)]).toEqual([0, ''])
  expect(listOffered(folder, [])).toEqual(paths)
  expect((await packSource(folder, paths)).equals(bytes)).toBe(true)
  expect(paths).toEqual(
    expect.arrayContaining(['package-lock.json', 'Dockerfile', 'apps/server/src/main.ts', 'LICENSE']),
  )
})
