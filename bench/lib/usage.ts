/** Resource usage of a process, from /proc; null on systems without it. */
import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Processor time of a process so far, in seconds. */
function cpuSeconds(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in brackets, and may hold spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
  } catch {
    return null
  }
}

/** Resident memory of a process in MB (10⁶ bytes). */
export function residentMegabytes(pid: number): number | null {
  try {
    const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return kibibytes === undefined ? null : (Number(kibibytes) * 1024) / 1e6
  } catch {
    return null
  }
}

/**
 * Memory of a process and its descendants in MB: resident memory of the process, and for the others
 * the proportional share (PSS), because PostgreSQL's processes share memory.
 */
export function togetherMegabytes(pid: number): number | null {
  const own = residentMegabytes(pid)
  if (own === null) return null
  return descendantsOf(pid).reduce((sum, one) => sum + (shareMegabytes(one) ?? 0), own)
}

/** All descendants of a process. */
export function descendantsOf(pid: number): number[] {
  const children = new Map<number, number[]>()
  for (const name of readdirSync('/proc')) {
    const parent = /^\d+$/.test(name) ? parentOf(Number(name)) : null
    if (parent !== null) children.set(parent, [...(children.get(parent) ?? []), Number(name)])
  }
  const collect = (one: number): number[] => (children.get(one) ?? []).flatMap((child) => [child, ...collect(child)])
  return collect(pid)
}

function parentOf(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
  } catch {
    return null
  }
}

function shareMegabytes(pid: number): number | null {
  try {
    const [, kibibytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? []
    return kibibytes === undefined ? null : (Number(kibibytes) * 1024) / 1e6
  } catch {
    return null
  }
}

/**
 * Runs `work`, and returns its result with the share of one core that the process used meanwhile (1
 * = all of it).
 */
export async function withBusy<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; busy: number | null }> {
  const [cpu, start] = [cpuSeconds(pid), performance.now()]
  const result = await work()
  const after = cpuSeconds(pid)
  const seconds = (performance.now() - start) / 1_000
  return { result, busy: cpu === null || after === null ? null : (after - cpu) / seconds }
}
