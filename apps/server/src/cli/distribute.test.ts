/** `npm run db:distribute` as a process. */
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isDistributed } from '../db/distribution.ts'
import { openTestDatabase } from '../testing/board.ts'
import { makeDataFolder } from '../testing/data-folder.ts'

const MAIN = resolve(import.meta.dirname, 'distribute.ts')

let dataDir: string
beforeEach(() => {
  dataDir = makeDataFolder()
})
afterEach(() => rmSync(dataDir, { recursive: true, force: true }))

function distribute(args: readonly string[], settings: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...settings }
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    env,
    cwd: dataDir,
    encoding: 'utf8',
  })
  return { code: status, out: stdout, err: stderr }
}

describe('npm run db:distribute', () => {
  it('shows its help, and refuses unknown arguments', () => {
    expect(distribute(['--help'])).toMatchObject({ code: 0, out: expect.stringContaining('citus_add_node') })
    expect(distribute(['--all'])).toMatchObject({ code: 2, err: expect.stringContaining('usage:') })
  })

  it('needs a PostgreSQL', () => {
    expect(distribute([])).toEqual({
      code: 1,
      out: '',
      err:
        `Board: PostgreSQL in ${dataDir}\n` +
        'Setting DATABASE_URL is missing: the database in DATA_DIR cannot be spread.\n',
    })
    const nobody = distribute([], { DATABASE_URL: 'postgres://127.0.0.1:1/board' })
    expect(nobody).toMatchObject({ code: 1, err: expect.stringContaining('PostgreSQL did not let us in') })
  })

  it('reports a PostgreSQL without Citus, and a cluster on which nothing is left to do', async () => {
    const database = await openTestDatabase()
    const outcome = distribute([], { DATABASE_URL: database.url })
    if (await isDistributed(database.db))
      expect(outcome).toMatchObject({ code: 0, out: expect.stringContaining('already') })
    else expect(outcome).toMatchObject({ code: 1, err: expect.stringContaining('create extension citus') })
    await database.close()
  })
})
