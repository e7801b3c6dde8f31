import { Agent, request, type IncomingMessage } from 'node:http'

/** An answer as it was transferred: not decoded, headers as they came. */
export interface RawAnswer {
  readonly status: number
  /** Name, value, name, value … */
  readonly headers: readonly string[]
  readonly body: Buffer
}

/** Compression as browsers ask for it. */
export const AS_BROWSERS = { 'accept-encoding': 'gzip, deflate, br, zstd' }

/**
 * Header of a request from a page of another site that the board names in CORS headers (server.ts):
 * the answer is composed anew, from cached parts.
 */
export const PAST_THE_CACHE = { origin: 'https://elsewhere.example' }

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Fetches with a kept-alive connection and without decoding. */
export function fetchRaw(url: string, headers: Readonly<Record<string, string>> = {}): Promise<RawAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<RawAnswer>()
  const read = async (response: IncomingMessage): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of response) chunks.push(chunk as Buffer)
    resolve({ status: response.statusCode!, headers: response.rawHeaders, body: Buffer.concat(chunks) })
  }
  request(url, { agent, headers }, (response) => void read(response).catch(reject))
    .on('error', reject)
    .end()
  return promise
}

export function headerOf(answer: RawAnswer, name: string): string | undefined {
  const index = answer.headers.findIndex((field, index) => index % 2 === 0 && field.toLowerCase() === name)
  return index === -1 ? undefined : answer.headers[index + 1]
}
