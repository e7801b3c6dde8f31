import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** The folder is in use by another running server; its message is the one line shown to the operator. */
export class FolderInUseError extends Error {}

/**
 * Two servers on one embedded database would destroy it. A lock file names the owner's process; one left behind by a
 * killed server (no such process, or the number was given to another program since) is taken over.
 * @returns a function that gives the folder free again
 */
export function lockFolder(folder: string): () => void {
  const path = join(folder, 'shinobi.lock')
  for (;;) {
    try {
      const file = openSync(path, 'wx', 0o600)
      writeSync(file, JSON.stringify({ pid: process.pid, started: startedAt(process.pid) }))
      closeSync(file)
      return () => rmSync(path, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = readOwner(path)
    if (owner !== null && isRunning(owner)) {
      throw new FolderInUseError(
        `The data folder ${folder} is in use by a running server (process ${owner.pid}). Stop it first, or set DATA_DIR to another folder.`,
      )
    }
    rmSync(path, { force: true })
  }
}

interface Owner {
  readonly pid: number
  readonly started: string | null
}

function readOwner(path: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner>
    return typeof owner.pid === 'number' ? { pid: owner.pid, started: owner.started ?? null } : null
  } catch {
    return null
  }
}

/** When a process started, in clock ticks since boot; null where the system does not tell (no /proc). */
function startedAt(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null
  } catch {
    return null
  }
}

function isRunning(owner: Owner): boolean {
  if (owner.pid === process.pid) return owner.started === null || owner.started === startedAt(process.pid)
  try {
    process.kill(owner.pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
  }
  return owner.started === null || owner.started === startedAt(owner.pid)
}
