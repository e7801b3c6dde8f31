/** The supervisor in a process of its own, whose workers only say that they serve. */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { expect, it, onTestFinished } from 'vitest'

const SUPERVISOR = join(import.meta.dirname, 'supervisor.ts')
const PRIMARY = `
import cluster from 'node:cluster'
import { pino } from 'pino'
import { createSupervisor } from '${SUPERVISOR}'
const [program, exec, timeoutMs] = process.argv.slice(1)
process.execPath = program
cluster.setupPrimary({ exec, execArgv: [] })
const supervisor = createSupervisor({ env: {}, timeoutMs: Number(timeoutMs), log: pino() })
await supervisor.start()
await supervisor.start()
supervisor.keepUp()
console.log(JSON.stringify({ msg: 'serving' }))
process.stdin.on('data', () => supervisor.open()[0].process.kill('SIGKILL'))
process.stdin.on('end', async () => process.exit(await supervisor.stop()))
const tell = () => console.log(JSON.stringify({ msg: 'open', count: supervisor.open().length }))
cluster.on('message', () => setImmediate(tell))
`
const WORKER = `process.send({ type: 'shinobi:open', port: 1 }); setInterval(() => {}, 1_000)`

/** Four processes start. */
const TIMEOUT_MS = 120_000

/** @param timeoutMs silence after which a worker counts as hung; these send no heartbeats */
function startPrimary(timeoutMs: number) {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-supervisor-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const [program, worker] = [join(folder, 'node'), join(folder, 'worker.mjs')]
  symlinkSync(process.execPath, program)
  writeFileSync(worker, WORKER)
  const args = ['--input-type=module', '--eval', PRIMARY, '--', program, worker, String(timeoutMs)]
  const primary = spawn(process.execPath, args, { cwd: import.meta.dirname, stdio: ['pipe', 'pipe', 'inherit'] })
  onTestFinished(() => void primary.kill('SIGKILL'))
  const lines = createInterface(primary.stdout)[Symbol.asyncIterator]()
  const untilSaid = async (wanted: string): Promise<Record<string, unknown>> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done === true) throw new Error(`the primary ended before it said: ${wanted}`)
      const line = JSON.parse(value) as Record<string, unknown>
      if (line['msg'] === wanted) return line
    }
  }
  return { primary, program, untilSaid }
}

it('tries again when a worker cannot be started, and the others go on', { timeout: TIMEOUT_MS }, async () => {
  const { primary, program, untilSaid } = startPrimary(TIMEOUT_MS)
  await untilSaid('serving')
  rmSync(program)
  primary.stdin.write('kill one\n')
  await untilSaid('a worker failed')
  symlinkSync(process.execPath, program)
  expect(await untilSaid('open')).toMatchObject({ count: 2 })
  primary.stdin.end()
  const [code] = await new Promise<unknown[]>((resolve) => primary.once('exit', (...how) => resolve(how)))
  expect(code).toBe(0)
})

/** Less than the minute that a worker has to start. */
const HUNG_WITHIN_MS = 50_000

it(
  'kills a worker that hangs as soon as it serves, without the time of a start',
  { timeout: HUNG_WITHIN_MS },
  async () => {
    const { untilSaid } = startPrimary(2_000)
    await untilSaid('serving')
    expect(await untilSaid('a worker hangs and is killed')).toMatchObject({ silentMs: 2_000 })
  },
)
