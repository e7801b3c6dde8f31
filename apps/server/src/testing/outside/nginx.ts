/**
 * Debian's nginx with the configuration of ops/nginx, in front of a server. shinobi-ita.conf is
 * used unchanged; in the other files only the values that an operator sets are changed: port,
 * server, folders.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { freePort } from '../../lib/free-port.ts'

const OPS = resolve(import.meta.dirname, '../../../../../ops/nginx')

export interface Nginx {
  /** Its address for visitors. */
  readonly url: string
  /** The access log. */
  log(): string
  /** The log of requests that the server failed to answer. */
  failures(): string
  /** The error logs: the site's, and the global one. */
  errors(): string
  close(): Promise<void>
}

/**
 * With a relay between nginx and the server, which uses two more files of this process for each
 * connection.
 */
export interface WatchedNginx extends Nginx {
  /** Number of requests for a path that have reached the server. */
  asked(path: string): number
  /** Changes the address of the server. */
  follow(origin: string): void
}

/** @throws an error with nginx's output, when nginx refuses the configuration */
export async function startWatchedNginx(origin: string): Promise<WatchedNginx> {
  const relay = await openRelay()
  relay.follow(origin)
  const nginx = await startNginx(`http://127.0.0.1:${relay.port}`).catch(async (error: unknown) => {
    await relay.close()
    throw error
  })
  return {
    ...nginx,
    asked: relay.asked,
    follow: relay.follow,
    async close() {
      await nginx.close()
      await relay.close()
    },
  }
}

/**
 * @param origins of the servers of one board
 * @throws an error with nginx's output, when nginx refuses the configuration
 */
export async function startNginx(...origins: readonly string[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-nginx-'))
  const readLog = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const port = await freePort()
  mkdirSync(join(folder, 'shinobi-ita'))
  const change = (file: string, changes: readonly (readonly [was: string, is: string])[]): void => {
    let text = readFileSync(join(OPS, file), 'utf8')
    for (const [was, is] of changes) {
      if (!text.includes(was)) throw new Error(`${file} does not say ${was}`)
      text = text.replaceAll(was, is)
    }
    writeFileSync(join(folder, file), text)
  }
  change('shinobi-ita/upstream.conf', [
    ['server 127.0.0.1:3000;', origins.map((origin) => `server ${new URL(origin).host};`).join(' ')],
    ['/var/cache/shinobi-ita', join(folder, 'cache')],
  ])
  change('shinobi-ita/listen.conf', [
    ['listen 80 ', `listen 127.0.0.1:${port} `],
    ['listen [::]:80 backlog=4096;', ''],
    ['/etc/nginx/shinobi-ita', join(OPS, 'shinobi-ita')],
    ['/var/log/nginx', folder],
  ])
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  change('nginx.conf', [
    ['user www-data;', `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''}`],
    ['worker_processes auto;', 'worker_processes 2;'],
    ['/run/nginx.pid', join(folder, 'nginx.pid')],
    ['/var/log/nginx', folder],
    ['include /etc/nginx/modules-enabled/*.conf;', ''],
    ['include mime.types;', temporary.map((name) => `${name}_temp_path ${join(folder, name)};`).join(' ')],
    ['include conf.d/*.conf;', `include ${join(OPS, 'shinobi-ita.conf')};`],
  ])
  const nginx = spawn(findNginx(), ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  nginx.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
  const ended = once(nginx, 'exit').then(() => {
    throw new Error(`nginx ended: ${said}`)
  })
  ended.catch(() => {})
  async function close(): Promise<void> {
    nginx.kill('SIGTERM')
    await ended.catch(() => {})
    rmSync(folder, { recursive: true, force: true })
  }
  await Promise.race([answers(port, () => nginx.exitCode === null), ended]).catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    url: `http://127.0.0.1:${port}`,
    log: () => readLog('shinobi-ita.log'),
    failures: () => readLog('shinobi-ita-failures.log'),
    errors: () => readLog('error.log') + readLog('shinobi-ita-error.log'),
    close,
  }
}

function findNginx(): string {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  const found = folders.map((folder) => join(folder, 'nginx')).find((path) => existsSync(path))
  if (found === undefined) throw new Error('The tests need nginx; `npm test` says how to install it.')
  return found
}

/** Resolves once a server answers on a port, or the process has ended. */
async function answers(port: number, isRunning: () => boolean): Promise<void> {
  while (isRunning()) {
    const socket = connect(port, '127.0.0.1')
    try {
      await once(socket, 'connect')
      return
    } catch {
      await new Promise((done) => setTimeout(done, 10))
    } finally {
      socket.destroy()
    }
  }
}

/** A relay between nginx and the server, which counts requests. */
async function openRelay() {
  let target = 0
  const counts = new Map<string, number>()
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one)
          other.destroy()
        })
      one.pipe(other)
    }
    // nginx sends the headers of a request in one piece.
    near.on('data', (chunk: Buffer) => {
      const path = /^[A-Z]+ (\S+) HTTP\/1\.1\r\n/.exec(chunk.toString('latin1', 0, 2_000))?.[1]
      if (path !== undefined) counts.set(path, (counts.get(path) ?? 0) + 1)
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    asked: (path: string): number => counts.get(path) ?? 0,
    follow(origin: string): void {
      target = Number(new URL(origin).port)
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
