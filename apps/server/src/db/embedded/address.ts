/**
 * Address of the embedded database: a unix socket in a folder that only this user can access; on
 * Windows, loopback.
 */
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, lstatSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '../../lib/free-port.ts'
import { EmbeddedPostgresError } from './embedded-postgres-error.ts'
import type { Launcher } from './launch.ts'

export const USER = 'shinobi'
const DATABASE = 'postgres'
/** Part of the socket's name; nothing listens on this port. */
const PORT = 5432
const SOCKET = `.s.PGSQL.${PORT}`
/** Bytes of a socket's path that every system accepts: macOS 103, Linux 107. */
export const SOCKET_PATH_MAX = 103

export interface Address {
  /** For node-postgres, as the superuser. */
  readonly url: string
  /** The server's settings for this address. */
  readonly settings: readonly string[]
}

/**
 * Chooses the address. No server may be running on these folders.
 * @param run the folder for sockets
 * @throws EmbeddedPostgresError when there is no folder for the socket
 */
export async function chooseAddress(run: string, launcher: Launcher): Promise<Address> {
  if (process.platform === 'win32') return chooseLoopback(run)
  const folder = socketFolder(run)
  // A power cut may leave an empty lock file, which PostgreSQL refuses.
  rmSync(join(folder, `${SOCKET}.lock`), { force: true })
  launcher.own(folder)
  return {
    url: `postgres://${USER}@localhost:${PORT}/${DATABASE}?host=${encodeURIComponent(folder)}`,
    settings: [
      'listen_addresses=',
      `port=${PORT}`,
      `unix_socket_directories=${folder}`,
      'unix_socket_permissions=0700',
    ],
  }
}

/**
 * Options of initdb for authentication: access to the socket suffices; on Windows a password is
 * needed.
 */
export const authenticationOf = (run: string): readonly string[] =>
  process.platform === 'win32' ? ['--auth', 'scram-sha-256', '--pwfile', keepPassword(run).path] : ['--auth', 'trust']

/**
 * The folder of the socket: DATA_DIR/run, or a short one of this user where that path is too long
 * for a socket.
 */
function socketFolder(run: string): string {
  const fits = (folder: string) => Buffer.byteLength(`${folder}/${SOCKET}.lock`) <= SOCKET_PATH_MAX
  // A comma separates folders in PostgreSQL's setting.
  if (fits(run) && !run.includes(',')) return run
  const name = createHash('sha256').update(realpathSync(run)).digest('hex').slice(0, 16)
  const folder = join(tmpdir(), `shinobi-${name}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Another user may have created a folder or link of that name in the temporary folder before.
  const found = lstatSync(folder)
  const isOurs = found.isDirectory() && found.uid === process.getuid?.() && (found.mode & 0o077) === 0
  if (isOurs && fits(folder)) return folder
  throw new EmbeddedPostgresError(
    `The path of DATA_DIR is too long for a socket, and ${folder} cannot be used instead. Set DATA_DIR to a shorter path.`,
  )
}

async function chooseLoopback(run: string): Promise<Address> {
  const port = await freePort()
  return {
    url: `postgres://${USER}:${keepPassword(run).password}@127.0.0.1:${port}/${DATABASE}`,
    settings: ['listen_addresses=127.0.0.1', `port=${port}`],
  }
}

/** The password; created once and kept. */
function keepPassword(run: string): { readonly path: string; readonly password: string } {
  const path = join(run, 'password')
  if (!existsSync(path)) writeFileSync(path, randomBytes(24).toString('base64url'), { mode: 0o600 })
  return { path, password: readFileSync(path, 'utf8') }
}
