/** The reference of the HTTP rows: bare node:http, sending prepared bytes. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RawAnswer } from '../lib/http.ts'
import { answerCalls } from '../lib/worker.ts'

/** Fields that node:http sets itself, on either server. */
const OWN_FIELDS = new Set(['date', 'connection', 'keep-alive'])

let answer: { status: number; headers: string[]; body: Buffer } = { status: 404, headers: [], body: Buffer.alloc(0) }

const server = createServer((_request, response) => {
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
})

export const calls = answerCalls({
  async listen() {
    const { promise, resolve } = Promise.withResolvers<void>()
    server.listen(0, '127.0.0.1', resolve)
    await promise
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  },
  send({ status, headers, body }: RawAnswer) {
    const kept = headers.filter((_, index) => !OWN_FIELDS.has(headers[index - (index % 2)]!.toLowerCase()))
    answer = { status, headers: kept, body: Buffer.from(body) }
  },
})
