/**
 * Requests over kept-alive connections, each sent after the answer to the previous one. Answers are
 * counted by length rather than parsed: a client that parses HTTP costs as much as the server, and
 * would limit the rate on a machine with two cores.
 */
import { connect, type Socket } from 'node:net'
import { answerCalls } from '../lib/worker.ts'

export interface HttpLoad {
  readonly url: string
  readonly seconds: number
  readonly connections: number
  readonly headers: Readonly<Record<string, string>>
  /** Of every answer; 200 when not given. */
  readonly status?: number
}

const HEADER_END = Buffer.from('\r\n\r\n')
const READ_BYTES = 256 * 1024

/**
 * Reads the answers of one connection, until `stop`. All have the length of the first one: same
 * header fields, same body.
 */
function ask(
  url: URL,
  { request, status }: { readonly request: Buffer; readonly status: number },
  onAnswer: () => void,
  onProblem: (problem: Error) => void,
): Socket {
  const begin = Buffer.from(`HTTP/1.1 ${status} `)
  const buffer = Buffer.allocUnsafe(READ_BYTES)
  let expected = 0
  let received = 0
  const socket = connect({
    host: url.hostname,
    port: Number(url.port),
    onread: {
      buffer,
      callback(bytes) {
        if (received === 0 && (bytes < begin.length || buffer.compare(begin, 0, begin.length, 0, begin.length) !== 0)) {
          onProblem(new Error(`${url.href} answered ${buffer.toString('latin1', 0, Math.min(bytes, 40))}`))
          return false
        }
        if (expected === 0) expected = lengthOf(buffer.subarray(0, bytes), status)
        received += bytes
        if (received > expected) {
          onProblem(new Error(`${url.href} sent ${received} bytes instead of ${expected}`))
          return false
        }
        if (received === expected) {
          received = 0
          onAnswer()
          socket.write(request)
        }
        return true
      },
    },
  })
  socket.setNoDelay(true)
  socket.on('error', onProblem)
  socket.on('connect', () => socket.write(request))
  return socket
}

/** Length of a whole answer, by its beginning; a 304 has no body. */
function lengthOf(start: Buffer, status: number): number {
  const end = start.indexOf(HEADER_END)
  const fields = start.toString('latin1', 0, end + 2)
  const [, length] = status === 304 ? ['', '0'] : (/^content-length: (\d+)\r$/im.exec(fields) ?? [])
  if (end === -1 || length === undefined) throw new Error('an answer without content-length')
  return end + HEADER_END.length + Number(length)
}

export const calls = answerCalls({
  /** @returns answers per second */
  async run({ url, seconds, connections, headers, status = 200 }: HttpLoad): Promise<number> {
    const target = new URL(url)
    const fields = Object.entries({ host: target.host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
    const request = Buffer.from(`GET ${target.pathname}${target.search} HTTP/1.1\r\n${fields.join('')}\r\n`)
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    let answers = 0
    const count = (): void => {
      answers += 1
    }
    const sockets = Array.from({ length: connections }, () => ask(target, { request, status }, count, reject))
    const start = performance.now()
    const timer = setTimeout(resolve, seconds * 1_000)
    try {
      await promise
      return (answers / (performance.now() - start)) * 1_000
    } finally {
      clearTimeout(timer)
      for (const socket of sockets) socket.destroy()
    }
  },
})
