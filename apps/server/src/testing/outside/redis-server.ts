/** A Redis server of one test, which can be killed, frozen and restarted. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../lib/free-port.ts'

export interface RedisServer {
  readonly url: string
  /** Restarts it, empty, at the same address. */
  start(): Promise<void>
  /** Kills it. */
  kill(): Promise<void>
  /** It answers no more requests, and its connections stay open. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-redis-'))
  let server: ChildProcess | null = null

  async function start(): Promise<void> {
    const settings = [
      '--port',
      String(port),
      '--bind',
      '127.0.0.1',
      '--save',
      '',
      '--appendonly',
      'no',
      '--dir',
      folder,
    ]
    server = spawn('redis-server', settings, { stdio: ['ignore', 'pipe', 'inherit'] })
    for await (const line of createInterface({ input: server.stdout! })) {
      if (line.includes('Ready to accept connections')) break
    }
    server.stdout!.resume()
  }
  async function kill(): Promise<void> {
    if (server === null) return
    const end = once(server, 'exit')
    server.kill('SIGKILL')
    await end
    server = null
  }
  await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    start,
    kill,
    freeze: () => void server?.kill('SIGSTOP'),
    thaw: () => void server?.kill('SIGCONT'),
    async close() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
