/** Processes of a PostgreSQL server that runs on this machine, whoever started it. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { descendantsOf } from '../../bench/lib/usage.ts'
import { killNow, postmasterOf } from './site.ts'

export interface OwnPostgres {
  /** Process ids, the postmaster first. */
  readonly processes: () => number[]
  /** Sends a signal to all of its processes. */
  signalAll(signal: NodeJS.Signals): void
  /** Starts it again after it was killed or stopped. */
  readonly restart: () => Promise<void>
}

interface About {
  readonly data: string
  /** Folder of its programs. */
  readonly programs: string
  readonly port: number
  /** When it was started, in seconds since 1970. */
  readonly since: number
}

/** The lock file has the second in which the process began, some moments before the server did. */
const STARTS_WITHIN_SECONDS = 10
/** The child processes of a killed server take a moment to exit. */
const START_TRIES = 50
const AGAIN_MS = 100
const CONNECT_MS = 5_000

/**
 * Null when the server is on another machine, when this user may not signal it, and when the role
 * is no superuser, who alone may ask for its folder.
 */
export async function findLocalPostgres(url: string): Promise<OwnPostgres | null> {
  const about = await askAbout(url)
  return about !== null && isHere(about) ? ownPostgres(about.data, () => startAgain(about)) : null
}

/** @param data its data folder */
export function ownPostgres(data: string, restart: () => Promise<void>): OwnPostgres {
  const processes = (): number[] => {
    const first = postmasterOf(data)
    return [first, ...descendantsOf(first)]
  }
  return {
    processes,
    signalAll(signal) {
      for (const pid of processes()) killNow(pid, signal)
    },
    restart,
  }
}

async function askAbout(url: string): Promise<About | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
  try {
    await client.connect()
    const { rows } = await client.query<About>(
      `select current_setting('data_directory') as data, current_setting('port')::integer as port,
         (select setting from pg_config() where name = 'BINDIR') as programs,
         extract(epoch from pg_postmaster_start_time())::float8 as since`,
    )
    return rows[0]!
  } catch {
    return null
  } finally {
    await client.end().catch(() => {})
  }
}

/** Another machine may have a server with the same folder, so port and start are compared too. */
function isHere({ data, port, since }: About): boolean {
  try {
    const [pid, , start, listens] = readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n').map(Number)
    process.kill(pid!, 0)
    return listens === port && Math.abs(since - start!) < STARTS_WITHIN_SECONDS
  } catch {
    return false
  }
}

/** `restart` rather than `start`, because it takes the options with which it was started. */
async function startAgain({ data, programs }: About): Promise<void> {
  const { uid, gid } = statSync(data)
  for (let tries = 1; ; tries += 1) {
    const starter = spawn(join(programs, 'pg_ctl'), ['restart', '-w', '-s', '-D', data], {
      // PostgreSQL refuses to run as root.
      ...(process.getuid?.() === 0 ? { uid, gid } : {}),
      ...{ cwd: data, stdio: 'ignore' },
    })
    const [code] = (await once(starter, 'exit')) as [number | null]
    if (code === 0) return
    if (tries === START_TRIES) throw new Error(`PostgreSQL in ${data} did not start: pg_ctl ended with ${code}`)
    await sleep(AGAIN_MS)
  }
}
