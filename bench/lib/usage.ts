/** What a process used, from /proc; null where there is none. */
import { readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

/** Processor time of a process so far, in seconds. */
export function cpuSeconds(pid: number): number | null {
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

/** Runs `work`, and tells beside its result how much of one core the process used meanwhile (1 = all of it). */
export async function withBusy<T>(pid: number, work: () => Promise<T>): Promise<{ result: T; busy: number | null }> {
  const [cpu, start] = [cpuSeconds(pid), performance.now()]
  const result = await work()
  const after = cpuSeconds(pid)
  const seconds = (performance.now() - start) / 1_000
  return { result, busy: cpu === null || after === null ? null : (after - cpu) / seconds }
}
