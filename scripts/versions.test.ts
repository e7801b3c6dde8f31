import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const root = resolve(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Manifest {
  readonly version: string
  readonly workspaces: readonly string[]
}
const manifest = (folder: string) => JSON.parse(read(join(folder, 'package.json'))) as Manifest
const { version, workspaces } = manifest('')

it('every package and the lock file have the version of the root package', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Partial<Record<string, Manifest>> }
  for (const folder of ['', ...workspaces]) {
    expect([folder, manifest(folder).version, packages[folder]?.version]).toEqual([folder, version, version])
  }
})

it('the change log has an entry for this version, released or not', () => {
  const [newest, ...older] = [...read('CHANGELOG.md').matchAll(/^## \[([^\]]+)\](?: - (\d{4}-\d\d-\d\d))?$/gm)]
  // Until a version is released, its changes are under Unreleased.
  expect(newest?.[1] === 'Unreleased' || newest?.[1] === version).toBe(true)
  for (const [heading, , date] of older) expect([heading, date]).toEqual([heading, expect.any(String)])
})
