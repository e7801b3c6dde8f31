import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FolderInUseError, hasOwner, lockFolder } from './folder-lock.ts'
import { isRunning } from './processes.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shinobi-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

it('a folder has one owner until it is released', async () => {
  const unlock = await lockFolder(folder)
  await expect(lockFolder(folder)).rejects.toThrow(FolderInUseError)
  expect(await hasOwner(folder)).toBe(true)
  unlock()
  expect(await hasOwner(folder)).toBe(false)
  const unlockAgain = await lockFolder(folder)
  unlockAgain()
  await expect.poll(() => readdirSync(folder)).toEqual([])
})

it('a folder of a server in another container is refused until that server ends, however it ends', async () => {
  // Traces of another container in the folder: a process id that is meaningless here, and a socket
  // that answers while its process lives.
  const { pid: elsewhere } = spawnSync(process.execPath, ['-e', ''])
  const path = join(folder, 'owner.1.sock')
  const program = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('listening'))`
  const owner = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(owner.stdout, 'data')
  writeFileSync(join(folder, 'owner.lock'), JSON.stringify({ pid: elsewhere, startTime: '1', socket: 'owner.1.sock' }))
  await expect(lockFolder(folder)).rejects.toThrow(`(process ${elsewhere} of another container)`)
  expect(await hasOwner(folder)).toBe(true)

  owner.kill('SIGKILL')
  await once(owner, 'exit')
  expect(await hasOwner(folder)).toBe(false)
  const unlock = await lockFolder(folder)
  expect(readdirSync(folder)).not.toContain('owner.1.sock')
  unlock()
})

it('the lock of an ended process is taken over', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(folder, 'owner.lock'), JSON.stringify({ pid, startTime: '1' }))
  expect(await lockFolder(folder)).toBeTypeOf('function')
})

it('the lock of a killed process is taken over when another program has its process id', async () => {
  writeFileSync(join(folder, 'owner.lock'), JSON.stringify({ pid: process.ppid, startTime: '1' }))
  expect(await lockFolder(folder)).toBeTypeOf('function')
})

it('an incomplete lock file, from a crash or a full disk, is taken over', async () => {
  writeFileSync(join(folder, 'owner.lock'), '{"pi')
  expect(await lockFolder(folder)).toBeTypeOf('function')
})

it('the lock of a zombie is taken over', async () => {
  // The shell turns into a program that reaps no children, so that the ended child stays a zombie.
  const parent = spawn('sh', ['-c', 'true & echo $!; exec sleep 60'], { stdio: ['ignore', 'pipe', 'ignore'] })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const zombie = Number(line.toString())
  await expect.poll(() => isRunning(zombie)).toBe(false)
  writeFileSync(join(folder, 'owner.lock'), JSON.stringify({ pid: zombie, startTime: null }))
  expect(await lockFolder(folder)).toBeTypeOf('function')
  parent.kill('SIGKILL')
})

it('exactly one of many processes takes over a stale lock', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(join(folder, 'owner.lock'), JSON.stringify({ pid, startTime: '1' }))
  const module = new URL('folder-lock.ts', import.meta.url).href
  const program = `
    const { lockFolder } = await import(${JSON.stringify(module)})
    try { await lockFolder(${JSON.stringify(folder)}); console.log('owner') } catch { console.log('refused') }
    process.stdin.once('end', () => process.exit()).resume()`
  const rivals = Array.from({ length: 4 }, () =>
    spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['pipe', 'pipe', 'inherit'] }),
  )
  const results = await Promise.all(
    rivals.map(async (rival) => ((await once(rival.stdout, 'data')) as [Buffer])[0].toString().trim()),
  )
  for (const rival of rivals) rival.stdin.end()
  expect(results.toSorted()).toEqual(['owner', 'refused', 'refused', 'refused'])
})
