/** The board under torture: the same address and folder, however often it is killed. */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { startBoard, type Board, type Ended } from '../../bench/lib/server.ts'
import { descendantsOf } from '../../bench/lib/usage.ts'

export interface SiteOptions {
  /** Null for the embedded database. */
  readonly databaseUrl: string | null
  readonly dataDir: string
  /** File of the server's warnings and errors. */
  readonly logFile: string
  readonly settings?: Readonly<Record<string, string>>
  readonly launcher?: readonly string[]
  /** Called when the server ends without being stopped. */
  readonly onUnexpectedEnd: (how: string) => void
}

export interface Site {
  readonly url: string
  readonly dataDir: string
  readonly logFile: string
  /** Process id of the server. @throws Error while it is not running */
  readonly pid: number
  /** The database's address, for a client. */
  readonly databaseUrl: () => string
  /**
   * Starts the server; resolves when it is open. @throws Error with its output when it ends before
   */
  start(): Promise<void>
  /** kill -9 of the server and all its descendants. Only sends the signals; `kill` waits. */
  killAll(): void
  /** kill -9, also during the start. Resolves when the process is gone. */
  kill(): Promise<void>
  /** SIGTERM. @returns how it ended */
  stop(): Promise<Ended>
}

/** Above the ports of system servers, below the ephemeral ports. */
const [FIRST_PORT, PORTS] = [20_000, 10_000]

/** A port that stays free while the board is down: ephemeral ports are avoided. */
async function findPort(): Promise<number> {
  for (;;) {
    const port = FIRST_PORT + Math.floor(Math.random() * PORTS)
    const probe = createServer()
    const { promise, resolve } = Promise.withResolvers<boolean>()
    probe.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    if (await promise) return port
  }
}

export async function openSite(options: SiteOptions): Promise<Site> {
  const { databaseUrl, dataDir, logFile, settings = {}, launcher = [], onUnexpectedEnd } = options
  const port = await findPort()
  const url = `http://127.0.0.1:${port}`
  mkdirSync(dirname(logFile), { recursive: true })
  writeFileSync(logFile, '')
  const log = (chunk: Buffer): void => appendFileSync(logFile, chunk)
  let board: Board | null = null
  let pid: number | null = null
  let isAskedToEnd = false
  let starting: Promise<void> = Promise.resolve()

  async function open(): Promise<void> {
    isAskedToEnd = false
    board = await startBoard({
      ...{ databaseUrl, dataDir, launcher, log },
      settings: {
        ...{ PORT: String(port), PUBLIC_URL: url },
        // The load comes from one machine under many addresses.
        ...{ TRUST_PROXY: '1', SPAM_POSTS_PER_ADDRESS: '1000000', REGISTRATIONS_PER_HOUR: '1000000' },
        ...{ UPLOADS_PER_HOUR: '1000000', IMAGES_MB_PER_DAY: '1000000', NEWS_SCHEDULE: 'false' },
        // The disks of the torture are small; full-disk.ts sets its own.
        MIN_FREE_MB: '0',
        // Logging of slow queries is off, because recovery after a fault is slow anyway.
        ...{ SLOW_QUERY_MS: '0', SLOW_REQUEST_MS: '0' },
        ...settings,
      },
      onSpawn: (id) => (pid = id),
    })
    const opened = board
    void opened.ended.then(({ code, signal }) => {
      if (board === opened && !isAskedToEnd) onUnexpectedEnd(`the server ended by itself (${signal ?? `code ${code}`})`)
    })
  }

  return {
    url,
    dataDir,
    logFile,
    get pid() {
      if (pid === null) throw new Error('the server does not run')
      return pid
    },
    databaseUrl: () => databaseUrl ?? readFileSync(join(dataDir, 'run', 'url'), 'utf8'),
    start() {
      starting = open()
      return starting
    },
    killAll() {
      isAskedToEnd = true
      if (pid !== null) for (const one of [pid, ...descendantsOf(pid)]) killNow(one)
    },
    async kill() {
      isAskedToEnd = true
      if (pid !== null) killNow(pid)
      // A start under way has failed.
      await starting.catch(() => {})
      await board?.ended
      pid = null
    },
    async stop() {
      isAskedToEnd = true
      killNow(pid!, 'SIGTERM')
      const how = await board!.ended
      pid = null
      return how
    },
  }
}

/** Sends a signal; a process that is gone is no error. */
export function killNow(pid: number, signal: NodeJS.Signals = 'SIGKILL'): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

/** Process id of the postmaster of a data folder. */
export const postmasterOf = (data: string): number =>
  Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n', 1)[0])
