/** The secret that is generated at the first start: losing it ends all sessions. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readConfig } from './config.ts'
import { loadSecret } from './secret.ts'
import { makeEmptyFolder } from './testing/data-folder.ts'

it.runIf(process.platform === 'linux')('a new secret, whole and by its name, is on the disk before it is used', () => {
  const dataDir = makeEmptyFolder()
  onTestFinished(() => fs.rmSync(dataDir, { recursive: true }))
  const synced: { path: string; secret: string }[] = []
  const { fsyncSync } = fs
  const spy = vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
    const secret = join(dataDir, 'session-secret')
    synced.push({
      path: fs.readlinkSync(`/proc/self/fd/${descriptor}`),
      secret: fs.existsSync(secret) ? fs.readFileSync(secret, 'utf8').trim() : '',
    })
    fsyncSync(descriptor)
  })
  syncBuiltinESMExports()
  onTestFinished(() => {
    spy.mockRestore()
    syncBuiltinESMExports()
  })

  const config = readConfig({ DATA_DIR: dataDir })
  const secret = loadSecret(config)
  expect(secret.length).toBeGreaterThanOrEqual(32)
  expect(synced.at(-1)).toEqual({ path: dataDir, secret })
  expect(fs.readdirSync(dataDir)).toEqual(['session-secret'])
  expect(loadSecret(config)).toBe(secret)
})
