import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openFile } from './output.ts'

it.runIf(process.platform === 'linux')('a file that is discarded does not stay open', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-output-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const openFiles = (): string[] =>
    readdirSync('/proc/self/fd').map((descriptor) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`)
      } catch {
        // That of the folder /proc/self/fd itself, which is closed by now.
        return ''
      }
    })
  const isOpen = (): boolean => openFiles().some((file) => file.startsWith(folder))
  const output = await openFile(join(folder, 'board.tar.zst'))
  expect(isOpen()).toBe(true)
  output.discard()
  await expect.poll(isOpen).toBe(false)
})
