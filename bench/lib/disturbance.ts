import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const SAMPLE_MS = 2_000

function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((core) => core.times)
  const idle = times.reduce((sum, core) => sum + core.idle, 0)
  return { idle, all: times.reduce((sum, core) => sum + Object.values(core).reduce((one, time) => one + time, 0), 0) }
}

/** Share of the processor that other programs use, measured while the bench itself is idle. */
export async function measureDisturbance(): Promise<number> {
  const before = processorTimes()
  await sleep(SAMPLE_MS)
  const after = processorTimes()
  return 1 - (after.idle - before.idle) / (after.all - before.all)
}
