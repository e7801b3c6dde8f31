/** One process at a time owns a data folder. Two PostgreSQL servers on the same files would destroy them. */
import { closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isRunning, startTimeOf } from './processes.ts'

/** Another running process owns the folder. The message is the one line that the operator reads. */
export class FolderInUseError extends Error {
  /** Process id of the owner. */
  readonly owner: number

  constructor(folder: string, owner: number) {
    super(
      `The data folder ${folder} is in use by a running server (process ${owner}). ` +
        'Stop it first, or set DATA_DIR to another folder.',
    )
    this.owner = owner
  }
}

/** A takeover takes microseconds; a file of this age was left behind by a process that died in the middle of one. */
const TAKEOVER_STALE_MS = 10_000

interface Owner {
  readonly pid: number
  /** Tells the owner from another process that was given the same number later; null where the system does not say. */
  readonly startTime: string | null
}

/**
 * Takes the lock file of `folder`. A lock of a process that no longer runs is taken over; a killed process that its
 * parent has not reaped yet (a zombie) does not run.
 * @param dataDir the folder that the message names
 * @returns a function that releases the lock
 * @throws FolderInUseError when another process owns the folder
 */
export function lockFolder(folder: string, dataDir: string = folder): () => void {
  const path = join(folder, 'owner.lock')
  const own = JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) } satisfies Owner)
  for (;;) {
    if (create(path, own)) return () => rmSync(path, { force: true })
    const owner = readOwner(path)
    if (owner !== null && isRunning(owner.pid, owner.startTime)) throw new FolderInUseError(dataDir, owner.pid)
    removeStale(path)
  }
}

/** The running process that owns the folder; null when there is none. */
export function ownerOf(folder: string): number | null {
  const owner = readOwner(join(folder, 'owner.lock'))
  return owner !== null && isRunning(owner.pid, owner.startTime) ? owner.pid : null
}

/** Creates the file together with its content, so that no reader sees an empty one. @returns false when it exists */
function create(path: string, content: string): boolean {
  const next = `${path}.${process.pid}`
  writeFileSync(next, content, { mode: 0o600 })
  try {
    linkSync(next, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(next, { force: true })
  }
}

/**
 * Removes the lock of a process that no longer runs. Only one process at a time may do so: otherwise a second one
 * could remove the lock that the first one has just taken.
 */
function removeStale(path: string): void {
  const takeover = `${path}.takeover`
  try {
    closeSync(openSync(takeover, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const age = Date.now() - (statSync(takeover, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > TAKEOVER_STALE_MS) rmSync(takeover, { force: true })
    // Another process removes it; look again.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
    return
  }
  try {
    const owner = readOwner(path)
    if (owner === null || !isRunning(owner.pid, owner.startTime)) rmSync(path, { force: true })
  } finally {
    rmSync(takeover, { force: true })
  }
}

function readOwner(path: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner>
    return typeof owner.pid === 'number' ? { pid: owner.pid, startTime: owner.startTime ?? null } : null
  } catch {
    return null
  }
}
