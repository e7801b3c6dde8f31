/**
 * The embedded database: a real PostgreSQL as a child process, on a unix socket that only this user
 * can access. It is as durable as any PostgreSQL: a commit waits for the disk. docs/decisions/0026
 * gives the reasons.
 *
 *     DATA_DIR/postgres   its data folder
 *     DATA_DIR/run        owner.lock (the owning process), its socket, and `url` (its address)
 *
 * One process owns it, and so starts, restarts and stops it. Other programs of the board connect to
 * it.
 */
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { chooseAddress } from './address.ts'
import { findBinaries } from './binaries.ts'
import { createCluster, foldersOf, holdsEmbedded, refuseForeignFolder, refuseOlderFormats } from './cluster.ts'
import { FolderInUseError, hasOwner, lockFolder } from './folder-lock.ts'
import { createLauncher } from './launch.ts'
import { endOrphan } from './postmaster.ts'
import { keepServing, type Log } from './server.ts'
import { settingsFor, type SettingsOptions } from './settings.ts'

export interface EmbeddedOptions extends SettingsOptions {
  readonly log: Log
}

export interface EmbeddedPostgres {
  /** Address for node-postgres, as its superuser. */
  readonly url: string
  /** Stops it if this process owns it; resolves when it has stopped. */
  close(): Promise<void>
}

/** How long a program waits for a database that another process is starting. */
const START_WAIT_MS = 30_000
const LOOK_EVERY_MS = 100

/**
 * Starts the embedded database of the folder, and creates it first if there is none.
 * @param dataDir absolute path of a folder
 * @throws FolderInUseError when another process owns it
 * @throws EmbeddedPostgresError when it cannot be created or started
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { data, run } = foldersOf(dataDir)
  refuseOlderFormats(dataDir)
  mkdirSync(run, { recursive: true, mode: 0o700 })
  const unlock = await lockFolder(run, dataDir)
  try {
    const binaries = findBinaries()
    const launcher = createLauncher(dataDir)
    refuseForeignFolder(data, launcher)
    await endOrphan(data)
    if (!holdsEmbedded(dataDir)) await createCluster(dataDir, binaries, launcher)
    // PostgreSQL refuses a folder that others may read, as a copy made by an operator may be.
    chmodSync(data, 0o700)
    const address = await chooseAddress(run, launcher)
    const settings = [...address.settings, ...settingsFor(options)]
    const server = await keepServing({ data, binaries, launcher, settings, log: options.log })
    writeFileSync(urlFile(dataDir), address.url, { mode: 0o600 })
    return {
      url: address.url,
      async close() {
        hideUrl(dataDir)
        await server.stop()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

/**
 * Opens the embedded database for a program beside the server: connects to the one that another
 * process owns, or starts it. The program that started it stops it when no other one is connected
 * any more.
 * @throws FolderInUseError when another process owns the folder and its database does not accept
 * connections
 * @throws EmbeddedPostgresError when it cannot be created or started
 */
export async function shareEmbedded(dataDir: string, options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  for (const end = Date.now() + START_WAIT_MS; ; await sleep(LOOK_EVERY_MS)) {
    const running = await connectToRunning(dataDir)
    // The connection stays open as long as the program works, because the owner waits for it.
    if (running !== null) return { url: running.url, close: () => running.client.end() }
    try {
      const own = await startEmbedded(dataDir, options)
      return {
        url: own.url,
        async close() {
          hideUrl(dataDir)
          await waitUntilAlone(own.url)
          await own.close()
        },
      }
    } catch (error) {
      // Another process owns it, and is starting or stopping it.
      if (!(error instanceof FolderInUseError) || Date.now() > end) throw error
    }
  }
}

interface Running {
  readonly url: string
  readonly client: pg.Client
}

/**
 * Connects to the embedded database that another process owns; null when none accepts the
 * connection.
 */
async function connectToRunning(dataDir: string): Promise<Running | null> {
  const url = readUrl(dataDir)
  if (url === null || !(await hasOwner(foldersOf(dataDir).run))) return null
  const client = createClient(url)
  try {
    await client.connect()
  } catch {
    return null
  }
  // A stopping owner removes the address before it counts connections: it may not have counted this
  // one.
  if (readUrl(dataDir) === url) return { url, client }
  await client.end()
  return null
}

/** Whether an address is that of the folder's embedded database while a process runs it. */
export const isEmbeddedUrl = (dataDir: string, url: string): boolean => readUrl(dataDir) === url

const urlFile = (dataDir: string): string => join(foldersOf(dataDir).run, 'url')
const hideUrl = (dataDir: string): void => rmSync(urlFile(dataDir), { force: true })

function readUrl(dataDir: string): string | null {
  try {
    return readFileSync(urlFile(dataDir), 'utf8')
  } catch {
    return null
  }
}

/** Resolves when no other program is connected, or when the database is gone. */
async function waitUntilAlone(url: string): Promise<void> {
  const client = createClient(url)
  try {
    await client.connect()
    const countOthers = async (): Promise<number> => {
      const { rows } = await client.query<{ others: number }>(
        `select count(*)::integer as others from pg_stat_activity
         where backend_type = 'client backend' and pid <> pg_backend_pid()`,
      )
      return rows[0]!.others
    }
    while ((await countOthers()) > 0) await sleep(LOOK_EVERY_MS)
  } catch {
    // The database died, so there is nothing to wait for.
  } finally {
    await client.end().catch(() => {})
  }
}

function createClient(url: string): pg.Client {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  // Without a listener, the end of an idle connection would end the process.
  client.on('error', () => {})
  return client
}
