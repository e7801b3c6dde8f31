import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, it, onTestFinished } from 'vitest'
import { openLog } from '../testing/log-lines.ts'
import { FEW_FILES, readConnectionLimit, readFileLimit, warnOfFewFiles } from './file-limit.ts'

it('the limit of open files is the soft one, and unknown where the system does not report it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-limits-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'limits')
  const limits = (files: string): number | null => {
    writeFileSync(path, `Limit                     Soft Limit           Hard Limit           Units\n${files}\n`)
    return readFileLimit(path)
  }
  expect(limits('Max open files            1024                 524288               files')).toBe(1_024)
  expect(limits('Max open files            unlimited            unlimited            files')).toBeNull()
  expect(limits('Max processes             127                  127                  processes')).toBeNull()
  expect(readFileLimit(join(folder, 'none'))).toBeNull()
})

it('four fifths of the files are for connections, and fewer where the board needs more itself', () => {
  expect([1_024, 128, null].map((files) => readConnectionLimit(files))).toEqual([819, 64, null])
})

it('a low limit of open files is logged at the start, with advice', () => {
  const log = openLog()
  warnOfFewFiles(pino({}, log), FEW_FILES)
  warnOfFewFiles(pino({}, log), null)
  expect(log.lines).toEqual([])
  warnOfFewFiles(pino({}, log), 1_024)
  expect(log.lines).toMatchObject([{ level: 40, limit: 1_024, msg: expect.stringContaining('LimitNOFILE') }])
})
