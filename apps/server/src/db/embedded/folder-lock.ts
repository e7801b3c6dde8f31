/**
 * A data folder has one owning process at a time. Two PostgreSQL servers on the same files would
 * destroy them.
 */
import { closeSync, linkSync, openSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { answersOn, listenOn } from './life-socket.ts'
import { isRunning, startTimeOf } from './processes.ts'

/** Another running process owns the folder. The message is the one line that the operator sees. */
export class FolderInUseError extends Error {
  /** Process id of the owner. */
  readonly owner: number

  constructor(folder: string, owner: number) {
    const where = isRunning(owner) ? '' : ' of another container'
    super(
      `The data folder ${folder} is in use by a running server (process ${owner}${where}). ` +
        'Stop it first, or set DATA_DIR to another folder.',
    )
    this.owner = owner
  }
}

/** A takeover takes microseconds; a file of this age was left by a process that died during one. */
const TAKEOVER_STALE_MS = 10_000

interface Owner {
  readonly pid: number
  /**
   * Distinguishes the owner from a later process with the same id; null where the system does not
   * report it.
   */
  readonly startTime: string | null
  /**
   * Name of a socket in the folder on which the owner listens while it lives; null where there is
   * none.
   */
  readonly socket: string | null
}

/**
 * Takes the lock file of `folder`. The lock of a process that does not run any more is taken over;
 * a killed process that its parent has not reaped yet (a zombie) does not run.
 * @param dataDir the folder that the message names
 * @returns a function that releases the lock
 * @throws FolderInUseError when another process owns the folder
 */
export async function lockFolder(folder: string, dataDir: string = folder): Promise<() => void> {
  const path = join(folder, 'owner.lock')
  const { pid } = process
  // Listen before the lock names the socket, so that readers of the lock find it answering.
  const life = await listenOn(folder)
  const own = JSON.stringify({ pid, startTime: startTimeOf(pid), socket: life?.name ?? null } satisfies Owner)
  try {
    while (!create(path, own)) {
      const owner = readOwner(path)
      if (owner !== null && (await lives(folder, owner))) throw new FolderInUseError(dataDir, owner.pid)
      await removeStale(folder, path)
    }
  } catch (error) {
    life?.close()
    throw error
  }
  return () => {
    rmSync(path, { force: true })
    life?.close()
  }
}

/** Whether a running process owns the folder. */
export async function hasOwner(folder: string): Promise<boolean> {
  const owner = readOwner(join(folder, 'owner.lock'))
  return owner !== null && lives(folder, owner)
}

/**
 * Whether the owner runs. On the same machine its process id tells. Another container with the same
 * folder has its own process ids, so there only the socket tells.
 */
async function lives(folder: string, { pid, startTime, socket }: Owner): Promise<boolean> {
  return isRunning(pid, startTime) || (socket !== null && answersOn(join(folder, socket)))
}

/**
 * Creates the file together with its content, so that readers never see an empty one. @returns
 * false when it exists
 */
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
 * Removes the lock of a process that does not run any more. Only one process at a time may do so:
 * otherwise a second one could remove the lock that the first one has just taken.
 */
async function removeStale(folder: string, path: string): Promise<void> {
  const takeover = `${path}.takeover`
  try {
    closeSync(openSync(takeover, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const age = Date.now() - (statSync(takeover, { throwIfNoEntry: false })?.mtimeMs ?? 0)
    if (age > TAKEOVER_STALE_MS) rmSync(takeover, { force: true })
    // Another process is removing it; look again.
    await sleep(20)
    return
  }
  try {
    const owner = readOwner(path)
    if (owner !== null && (await lives(folder, owner))) return
    if (owner?.socket) rmSync(join(folder, owner.socket), { force: true })
    rmSync(path, { force: true })
  } finally {
    rmSync(takeover, { force: true })
  }
}

function readOwner(path: string): Owner | null {
  try {
    const owner = JSON.parse(readFileSync(path, 'utf8')) as Partial<Owner>
    if (typeof owner.pid !== 'number') return null
    return { pid: owner.pid, startTime: owner.startTime ?? null, socket: owner.socket ?? null }
  } catch {
    return null
  }
}
