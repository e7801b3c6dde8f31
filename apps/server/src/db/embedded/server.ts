/** The PostgreSQL server as a child process that is restarted when it dies. */
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Writable } from 'node:stream'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Binaries } from './binaries.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import { STOP_PIPE, type Launcher } from './launch.ts'
import { endOrphan, runningPostmaster } from './postmaster.ts'

/** The part of a logger that is used here. */
export type Log = Pick<FastifyBaseLogger, 'debug' | 'info' | 'error'>

export interface ServerOptions {
  /** The data folder. */
  readonly data: string
  readonly binaries: Binaries
  readonly launcher: Launcher
  /** `name=value` of postgresql.conf. */
  readonly settings: readonly string[]
  readonly log: Log
}

export interface Server {
  /**
   * Stops it for good, by a fast shutdown: clients are disconnected, and all committed data is on
   * the disk.
   */
  stop(): Promise<void>
}

/** A longer start replays the WAL after a crash; the operator is informed. */
const SLOW_START_MS = 5_000
/**
 * Pause before a restart; it doubles while the server keeps dying (a full disk stays full for
 * minutes).
 */
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A server that ran for this long has recovered: the next pause is short again. */
const STEADY_MS = 60_000
/** A fast shutdown takes a fraction of a second; the board has 10 seconds in all to stop. */
const STOP_WITHIN_MS = 6_000
/** Children of a killed server take a moment to exit; until then PostgreSQL refuses to start. */
const STILL_IN_USE = /is still in use|already exists/
const STILL_IN_USE_TRIES = 50

/**
 * Starts the server and keeps it running until `stop`. Resolves when it accepts connections.
 * @throws EmbeddedPostgresError when the first start fails
 */
export async function keepServing(options: ServerOptions): Promise<Server> {
  const { data, log } = options
  let child = await startOnce(options)
  let stopping = false
  let restart: Promise<void> = Promise.resolve()

  async function watch(pause: number): Promise<void> {
    const since = performance.now()
    const { code, signal } = await ended(child)
    if (stopping) return
    log.error({ code, signal }, 'the embedded database died and is restarted')
    restart = startAgain(performance.now() - since > STEADY_MS ? FIRST_PAUSE_MS : pause)
  }

  async function startAgain(pause: number): Promise<void> {
    await sleep(pause)
    while (!stopping) {
      try {
        await endOrphan(data)
        child = await startOnce(options)
        log.info('the embedded database serves again')
        void watch(Math.min(pause * 2, LONGEST_PAUSE_MS))
        return
      } catch (error) {
        pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
        log.error({ err: error }, 'the embedded database could not be restarted')
        await sleep(pause)
      }
    }
  }

  void watch(FIRST_PAUSE_MS)
  // An exit without `stop` (when the board fails to start) must not leave it running.
  const stopAtExit = (): void => requestStop(child, options)
  process.once('exit', stopAtExit)
  return {
    async stop() {
      stopping = true
      await restart
      await stopServer(child, options)
      process.off('exit', stopAtExit)
    },
  }
}

/** Starts the server; retries while children of a killed one are still exiting. */
async function startOnce(options: ServerOptions): Promise<ChildProcess> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start(options)
    } catch (error) {
      const mayPass = STILL_IN_USE.test((error as Error).message) && runningPostmaster(options.data) === null
      if (!mayPass || tries === STILL_IN_USE_TRIES) throw error
      await sleep(FIRST_PAUSE_MS)
    }
  }
}

async function start({ data, binaries, launcher, settings, log }: ServerOptions): Promise<ChildProcess> {
  const child = launcher.serve(binaries.postgres, ['-D', data, ...settings.flatMap((setting) => ['-c', setting])])
  const ready = Promise.withResolvers<void>()
  let last = ''
  createInterface({ input: child.stderr! }).on('line', (line) => {
    if (line.includes('ready to accept connections')) ready.resolve()
    // Lines that begin with a tab continue the previous one.
    const [, level = '', text = line] = /^(\w+): +(.*)$/.exec(line) ?? []
    if (level === 'FATAL' || level === 'PANIC') last = text
    if (level === 'PANIC') log.error({ postgres: text }, 'the embedded database has failed')
    else log.debug({ postgres: line.trim() }, 'embedded database')
  })
  const gone = ended(child).then(({ code }) => {
    throw new EmbeddedPostgresError(`The embedded database in ${data} did not start: ${last || `exit code ${code}`}.`)
  })
  const slow = setTimeout(() => log.info('the embedded database recovers from a crash'), SLOW_START_MS)
  try {
    await Promise.race([ready.promise, gone])
  } finally {
    clearTimeout(slow)
    gone.catch(() => {})
  }
  return child
}

interface End {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

async function ended(child: ChildProcess): Promise<End> {
  if (child.exitCode !== null || child.signalCode !== null) return { code: child.exitCode, signal: child.signalCode }
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  // Ends the shell that watches this pipe.
  child.stdio[STOP_PIPE]?.destroy()
  return { code, signal }
}

/** Requests a fast shutdown. */
function requestStop(child: ChildProcess, { binaries, data, launcher }: ServerOptions): void {
  if (process.platform === 'win32') launcher.run(binaries.pgCtl, ['stop', '-D', data, '-m', 'fast', '-W'])
  else (child.stdio[STOP_PIPE] as Writable | null)?.destroy()
}

/**
 * Stops the server; after the time limit immediately, without writing dirty buffers, so that the
 * next start replays the WAL.
 */
async function stopServer(child: ChildProcess, options: ServerOptions): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  requestStop(child, options)
  const impatience = setTimeout(() => {
    const pid = runningPostmaster(options.data)
    if (pid !== null) process.kill(pid, 'SIGQUIT')
  }, STOP_WITHIN_MS)
  await ended(child)
  clearTimeout(impatience)
}
