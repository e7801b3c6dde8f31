/**
 * A lock between processes of this repository, so that two starts do not install or build at the
 * same time.
 */
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { root } from './root.mjs'

const isRunning = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/**
 * Runs `work` while holding the lock `name`. Waits for another holder, and takes over from a dead
 * one. The file is outside of the repository, because `npm ci` empties node_modules.
 */
export async function withLock(name, work) {
  const place = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const path = join(tmpdir(), `shinobi-ita-${name}-${place}.lock`)
  let told = false
  for (;;) {
    try {
      writeFileSync(path, String(process.pid), { flag: 'wx' })
      break
    } catch (error) {
      if (error.code !== 'EEXIST') throw error
    }
    const holder = readHolder(path)
    // A file without a number was just opened by its holder, or the holder died before writing:
    // check again.
    if (holder === null) {
      await sleep(100)
      if (readHolder(path) === null) rmSync(path, { force: true })
    } else if (!isRunning(holder)) {
      rmSync(path, { force: true })
    } else {
      if (!told) console.error(`Waiting for another start (process ${holder}) to finish its ${name} …`)
      told = true
      await sleep(200)
    }
  }
  const release = () => rmSync(path, { force: true })
  process.once('exit', release)
  try {
    return await work()
  } finally {
    process.off('exit', release)
    release()
  }
}

function readHolder(path) {
  try {
    const pid = Number(readFileSync(path, 'utf8'))
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}
