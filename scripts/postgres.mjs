/**
 * A throw-away PostgreSQL on loopback, for tests, benches and development. Its files are in a
 * temporary folder that is removed when it stops. Run directly, it prints its address and stays
 * until Ctrl-C: node scripts/postgres.mjs [--durable]
 */
import { spawn, spawnSync } from 'node:child_process'
import { accessSync, chownSync, constants, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { isMain } from './root.mjs'
import { temporary } from './temporary.mjs'

const isExecutable = (path) => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Folder with initdb and postgres, the newest version first; null when there is none. */
export function findPostgres() {
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : []
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter),
  ]
  return (
    folders.find((folder) => isExecutable(join(folder, 'initdb')) && isExecutable(join(folder, 'postgres'))) ?? null
  )
}

/** PostgreSQL refuses to run as root; Debian's package creates a user for it. */
function unprivileged() {
  if (process.getuid?.() !== 0) return {}
  const idOf = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout.trim() || Number.NaN)
  const [uid, gid] = [idOf('-u'), idOf('-g')]
  if (Number.isNaN(uid) || Number.isNaN(gid))
    throw new Error('PostgreSQL refuses to run as root, and there is no user "postgres".')
  return { uid, gid }
}

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Durability that a throw-away database does not need. */
const NOT_DURABLE = ['-c', 'fsync=off', '-c', 'full_page_writes=off', '-c', 'synchronous_commit=off']

const INITDB = ['-A', 'trust', '-U', 'shinobi', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']

/**
 * Starts a cluster.
 * @param {{ durable?: boolean, replicaOf?: string }} [options] durable: commits wait for the disk,
 *   as in production (for measurements); replicaOf: the address of another cluster, of which this
 *   is a streaming replica
 * @returns {Promise<{ url: string, data: string, restart: () => Promise<void>, stop: () =>
 * Promise<void> }>}
 *   the address of its one database, for its superuser; its data folder; how to start it again, at
 *   the same address, after it was killed
 */
export async function startPostgres({ durable = false, replicaOf } = {}) {
  const bin = findPostgres()
  if (bin === null) throw new Error('PostgreSQL was not found. Install it (Debian: apt-get install postgresql).')
  const user = unprivileged()
  const folder = mkdtempSync(join(durable ? tmpdir() : temporary, 'shinobi-pg-'))
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid)
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  const data = join(folder, 'data')

  const [program, args] =
    replicaOf === undefined
      ? ['initdb', ['-D', data, ...INITDB]]
      : ['pg_basebackup', ['-D', data, '-d', replicaOf, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']]
  const made = spawnSync(join(bin, program), args, { ...user, cwd: folder, encoding: 'utf8' })
  if (made.status !== 0) {
    removeFolder()
    throw new Error(`${program} failed: ${made.stderr || made.error?.message}`)
  }

  for (let tries = 1; ; tries += 1) {
    const port = await freePort()
    try {
      const serveAgain = () => serve({ bin, user, folder, data, port, durable })
      let running = await serveAgain()
      return {
        url: running.url,
        data,
        restart: async () => {
          await running.ended
          running = await afterItsChildren(serveAgain)
        },
        stop: () => running.stop().finally(removeFolder),
      }
    } catch (error) {
      // Another program may have taken the port in between.
      if (tries < 3 && /Address already in use/.test(error.message)) continue
      removeFolder()
      throw error
    }
  }
}

/** Restarts a server; the child processes of a killed one take a moment to exit. */
async function afterItsChildren(start) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await start()
    } catch (error) {
      if (tries === 50 || !/is still in use|already exists|Address already in use/.test(error.message)) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}

async function serve({ bin, user, folder, data, port, durable }) {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, `unix_socket_directories=${folder}`]
  settings.push('max_connections=200', 'shared_buffers=256MB', 'timezone=UTC', 'lc_messages=C')
  const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting]), ...(durable ? [] : NOT_DURABLE)]
  // A process group of its own: Ctrl-C in the terminal reaches only this program, which stops the
  // server after its clients.
  const server = spawn(join(bin, 'postgres'), args, {
    ...user,
    cwd: folder,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })

  // Whatever ends this program ends the server at once, without a shutdown checkpoint: its files
  // are removed anyway.
  const endNow = () => {
    server.kill('SIGQUIT')
    rmSync(folder, { recursive: true, force: true })
  }
  const onSignal = (signal) => {
    endNow()
    // Without another handler of the signal, do what the default would have done.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }
  process.once('exit', endNow)
  for (const signal of SIGNALS) process.once(signal, onSignal)
  const forget = () => {
    process.off('exit', endNow)
    for (const signal of SIGNALS) process.off(signal, onSignal)
  }

  const closed = new Promise((resolve) => server.once('close', resolve))
  // 'exit' instead of 'close', because children keep its output open for longer.
  const ended = new Promise((resolve) => server.once('exit', resolve))
  let log = ''
  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.stderr.on('data', (chunk) => {
      log = (log + chunk).slice(-10_000)
      if (/ready to accept (read-only )?connections/.test(log)) resolve()
    })
    void closed.then(() => reject(new Error(`PostgreSQL did not start: ${log}`)))
  }).catch((error) => {
    forget()
    throw error
  })

  void ended.then(forget)

  const stop = async () => {
    server.kill('SIGINT')
    const patience = setTimeout(() => server.kill('SIGQUIT'), 5_000)
    await closed
    clearTimeout(patience)
  }
  return { url: `postgres://shinobi@127.0.0.1:${port}/postgres`, ended, stop }
}

if (isMain(import.meta.url)) {
  const unknown = process.argv.slice(2).find((argument) => argument !== '--durable')
  if (unknown !== undefined) {
    console.log('usage: node scripts/postgres.mjs [--durable]')
    process.exit(unknown === '--help' ? 0 : 2)
  }
  try {
    const { url, stop } = await startPostgres({ durable: process.argv.includes('--durable') })
    console.log(url)
    const end = () => void stop().then(() => process.exit(0))
    for (const signal of SIGNALS) process.once(signal, end)
  } catch (error) {
    console.error(error.message)
    process.exit(1)
  }
}
