/**
 * Handles a PostgreSQL server that an earlier process of the board left running, after a kill -9 of
 * the board but not of its database.
 */
import { readFileSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isRunning, startTimeOf, workingDirectoryOf } from './processes.ts'

/**
 * A fast shutdown writes dirty buffers, which takes seconds on a slow disk. After this time an
 * immediate one follows.
 */
const FAST_SHUTDOWN_MS = 15_000
const LOOK_EVERY_MS = 20

type Recorded = { readonly pid: number; readonly is: 'server' | 'gone' | 'another program' }

/** The process with the id in PostgreSQL's lock file; null without a file or an id in it. */
function readRecorded(folder: string): Recorded | null {
  const pid = recordedPid(folder)
  if (pid === null) return null
  if (!isRunning(pid)) return { pid, is: 'gone' }
  const cwd = workingDirectoryOf(pid)
  // Without /proc this is unknown; PostgreSQL itself then refuses to start beside another server.
  return { pid, is: cwd === null || cwd === realpathSync(folder) ? 'server' : 'another program' }
}

/** Process id of the server on the data folder; null when there is none. */
export function runningPostmaster(folder: string): number | null {
  const recorded = readRecorded(folder)
  return recorded?.is === 'server' ? recorded.pid : null
}

const lockFileOf = (folder: string): string => join(folder, 'postmaster.pid')

/** The process id in PostgreSQL's lock file. After a kill it may belong to another process. */
function recordedPid(folder: string): number | null {
  try {
    const pid = Number(readFileSync(lockFileOf(folder), 'utf8').split('\n', 1)[0])
    return Number.isInteger(pid) && pid > 0 ? pid : null
  } catch {
    return null
  }
}

/**
 * Stops an orphaned server. It removes the lock file of a killed one only when another program has
 * its process id now, because PostgreSQL would refuse to start; otherwise PostgreSQL needs the file
 * to check whether children of the killed one still write. A file without an id, which a power cut
 * during the start leaves, is removed too: PostgreSQL would refuse it, and this process is the only
 * one that may start a server here.
 */
export async function endOrphan(folder: string): Promise<void> {
  const recorded = readRecorded(folder)
  if (recorded?.is === 'server') await stopPostmaster(recorded.pid)
  if (recorded === null || recorded.is === 'another program') rmSync(lockFileOf(folder), { force: true })
}

async function stopPostmaster(pid: number): Promise<void> {
  const startTime = startTimeOf(pid)
  const ends = async (signal: NodeJS.Signals, withinMs: number): Promise<boolean> => {
    signalProcess(pid, signal)
    for (const end = Date.now() + withinMs; Date.now() < end;) {
      if (!isRunning(pid, startTime)) return true
      await sleep(LOOK_EVERY_MS)
    }
    return false
  }
  if (await ends('SIGINT', FAST_SHUTDOWN_MS)) return
  await ends('SIGQUIT', FAST_SHUTDOWN_MS)
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    // It has just ended by itself.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
