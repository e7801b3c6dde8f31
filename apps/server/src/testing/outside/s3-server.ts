/**
 * An S3 server of one test (s3rver), which checks signatures, and can be killed, frozen and
 * restarted at the same address.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../../lib/free-port.ts'

export interface S3Server {
  /** Settings of a board that uses it. */
  readonly settings: {
    readonly S3_ENDPOINT: string
    readonly S3_BUCKET: string
    readonly S3_ACCESS_KEY_ID: string
    readonly S3_SECRET_ACCESS_KEY: string
  }
  start(): Promise<void>
  kill(): Promise<void>
  /** It answers no more requests, and its connections stay open. */
  freeze(): void
  thaw(): void
  close(): Promise<void>
}

const BUCKET = 'pictures'
/** The only account of s3rver. */
const ACCOUNT = 'S3RVER'

const PROGRAM = `
  const { default: S3rver } = await import('@20minutes/s3rver')
  const [directory, port] = process.argv.slice(1)
  const buckets = [{ name: '${BUCKET}', configs: [] }]
  await new S3rver({ directory, port: Number(port), address: '127.0.0.1', silent: true, configureBuckets: buckets }).run()
  console.log('ready')
`

export async function startS3(): Promise<S3Server> {
  const port = await freePort()
  const folder = mkdtempSync(join(tmpdir(), 'shinobi-s3-'))
  let server: ChildProcess | null = null

  async function start(): Promise<void> {
    // s3rver encrypts the tokens of its listings with a cipher that is in OpenSSL's legacy
    // provider.
    const flags = ['--openssl-legacy-provider', '--input-type=module', '-e', PROGRAM]
    server = spawn(process.execPath, [...flags, folder, String(port)], {
      cwd: import.meta.dirname,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    for await (const line of createInterface({ input: server.stdout! })) if (line === 'ready') break
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
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: ACCOUNT,
      S3_SECRET_ACCESS_KEY: ACCOUNT,
    },
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
