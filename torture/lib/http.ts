/** HTTP calls like those of a browser; a failure to reach the board is returned as an answer. */

export interface Answer {
  /** 0 without a whole answer: the connection broke, or timed out. */
  readonly status: number
  readonly body: Buffer
  readonly cookies: readonly string[]
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData | Uint8Array<ArrayBuffer>
  /** Milliseconds until the time-out. */
  readonly withinMs?: number
}

/** The real client sends again after ten seconds without an answer. */
const WITHIN_MS = 10_000

export async function call(
  url: string,
  { method = 'GET', headers = {}, body, withinMs = WITHIN_MS }: Call = {},
): Promise<Answer> {
  try {
    const response = await fetch(url, {
      ...{ method, headers, signal: AbortSignal.timeout(withinMs), redirect: 'manual' },
      ...(body === undefined ? {} : { body }),
    })
    const bytes = Buffer.from(await response.arrayBuffer())
    return { status: response.status, body: bytes, cookies: response.headers.getSetCookie() }
  } catch {
    return { status: 0, body: Buffer.alloc(0), cookies: [] }
  }
}

export const readJson = <T>({ body }: Answer): T => JSON.parse(body.toString()) as T
