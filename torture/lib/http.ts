/** Calls as a browser makes them, whose failure to reach the board is an answer like any other. */

export interface Answer {
  /** 0 where no whole answer came: the connection broke, or nothing was heard in time. */
  readonly status: number
  readonly body: Buffer
  readonly cookies: readonly string[]
}

export interface Call {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | FormData
  /** Milliseconds until the caller gives up. */
  readonly withinMs?: number
}

/** The real client sends again after ten silent seconds. */
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
