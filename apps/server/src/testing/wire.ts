/**
 * Raw HTTP requests: without the headers that `fetch` adds, without decompression, from any address
 * of this machine.
 */
import { request } from 'node:http'
import type { Agent, IncomingHttpHeaders } from 'node:http'

export interface WireRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Source address: any address of 127.0.0.0/8, so that one machine can be many visitors. */
  readonly from?: string
  readonly agent?: Agent
}

export interface WireAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly bytes: Buffer
}

export function ask(
  url: string,
  { method = 'GET', headers = {}, body, from, agent }: WireRequest = {},
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }) },
        ...(from === undefined ? {} : { localAddress: from }),
        ...(agent === undefined ? {} : { agent }),
      },
      (answer) => {
        const chunks: Buffer[] = []
        answer.on('data', (chunk: Buffer) => chunks.push(chunk))
        answer.on('error', reject)
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        )
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
