import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FolderInUseError, lockFolder } from './folder-lock.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a folder has one owner until it is given free', () => {
  const unlock = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderInUseError)
  unlock()
  lockFolder(folder)()
})

it('the lock of a process that is gone is taken over', () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(folder, 'shinobi.lock'), JSON.stringify({ pid, started: '1' }))
  expect(lockFolder(folder)).toBeTypeOf('function')
})

it('the lock of a killed process whose number another program has now is taken over', () => {
  writeFileSync(join(folder, 'shinobi.lock'), JSON.stringify({ pid: process.ppid, started: '1' }))
  expect(lockFolder(folder)).toBeTypeOf('function')
})

it('half a lock file, from a crash or a full disk, is taken over', () => {
  writeFileSync(join(folder, 'shinobi.lock'), '{"pi')
  expect(lockFolder(folder)).toBeTypeOf('function')
})
