/** Information of the operating system about other processes. */
import { readFileSync, readlinkSync } from 'node:fs'

interface ProcessStat {
  /** R, S, D … as proc(5) lists them. */
  readonly state: string
  /** Clock ticks since boot. */
  readonly startTime: string
}

/** Null without /proc (macOS, Windows), and for an ended process. */
function statOf(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field, the program's name in parentheses, may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return { state: fields[0]!, startTime: fields[19]! }
  } catch {
    return null
  }
}

/** Start time of a process in clock ticks since boot; null where the system does not report it. */
export const startTimeOf = (pid: number): string | null => statOf(pid)?.startTime ?? null

/**
 * Whether the process runs. A zombie does not, nor does a later process with the same id.
 * @param startTime its start time by `startTimeOf`; null when it is unknown
 */
export function isRunning(pid: number, startTime: string | null = null): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false
  }
  const stat = statOf(pid)
  if (stat === null) return true
  if (stat.state === 'Z' || stat.state === 'X') return false
  return startTime === null || stat.startTime === startTime
}

/** Its working directory; null where the system does not report it. */
export function workingDirectoryOf(pid: number): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`)
  } catch {
    return null
  }
}
