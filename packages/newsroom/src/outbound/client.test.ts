/**
 * Requests over TLS: the connection goes to an address that was checked, and the server's
 * certificate must be for the requested name.
 */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { problemOf } from '../testing/news-problem.ts'
import { listen } from '../testing/outside/listen.ts'
import { createClient, type Client } from './client.ts'

/** A certificate for news.example that signs itself, and its key. */
const PEM = readFileSync(join(import.meta.dirname, '../testing/outside/news.example.pem'), 'utf8')
const KNOWN = getCACertificates('default')
beforeEach(() => setDefaultCACertificates([...KNOWN, PEM]))
afterEach(() => setDefaultCACertificates(KNOWN))

/** A publisher's server, and the names it was asked for by TLS and by HTTP. */
async function openSite() {
  const named: string[] = []
  const site = createServer({ cert: PEM, key: PEM }, (request, answer) => {
    named.push(request.headers.host ?? '')
    answer.end('忍者が東京に現れた。')
  })
  site.on('secureConnection', (socket: { readonly servername: string | false }) =>
    named.push(String(socket.servername)),
  )
  const { port, close } = await listen(site)
  onTestFinished(close)
  return { named, port }
}

/** A client for which every name resolves to the test's machine. */
function open(): Client {
  const client = createClient({
    userAgent: 'ShinobiItaBot/1.0',
    door: { address: (address) => address === '127.0.0.1', port: () => true },
    resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    timeoutMs: 10_000,
    idleMs: 10_000,
  })
  onTestFinished(client.close)
  return client
}

const read = (client: Client, host: string, port: number) =>
  client.get(new URL(`https://${host}:${port}/`), { headers: {}, maxBytes: 1_000, wants: () => true })

describe('over TLS', () => {
  it('a publisher with a valid certificate is read, at the address that was checked', async () => {
    const { named, port } = await openSite()
    const { bytes } = await read(open(), 'news.example', port)
    expect(bytes.toString()).toBe('忍者が東京に現れた。')
    expect(named).toEqual(['news.example', `news.example:${port}`])
  })

  it('a server with a certificate for another name is refused, even a trusted one', async () => {
    const { named, port } = await openSite()
    const client = open()
    for (const host of ['other.example', 'sub.news.example']) {
      expect(await problemOf(() => read(client, host, port))).toBe('unreachable')
    }
    expect(named).not.toContain(`other.example:${port}`)
  })

  it('a server with a certificate of an unknown authority is refused', async () => {
    setDefaultCACertificates(KNOWN)
    const { port } = await openSite()
    expect(await problemOf(() => read(open(), 'news.example', port))).toBe('unreachable')
  })
})
