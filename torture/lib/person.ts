/** A client with a browser's state: cookies, an address, and in some cases a socket. */
import { io, type Socket } from 'socket.io-client'
import type { ClientToServerEvents, NewPost, PostAck, ServerToClientEvents } from '@shinobi/contract/events'
import { call, readJson, type Answer, type Call } from './http.ts'

export interface Account {
  readonly username: string
  readonly password: string
}

/** Like the real client, only sooner, so that the load resumes when the board is back. */
const RECONNECT_MS = 150
const WITHIN_MS = 10_000

export class Person {
  readonly name: string
  /** Null for an anonymous visitor. */
  readonly account: Account | null
  /** Null for an anonymous visitor, and for a member before the first log-in. */
  userId: string | null = null
  readonly #url: string
  readonly #address: string
  readonly #cookies = new Map<string, string>()
  #socket: Socket<ServerToClientEvents, ClientToServerEvents> | null = null

  constructor(url: string, index: number, account: Account | null = null) {
    this.#url = url
    this.account = account
    this.name = account?.username ?? `忍${index}`
    this.#address = `10.${(index >> 8) & 255}.${index & 255}.1`
  }

  get headers(): Record<string, string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    return { 'x-forwarded-for': this.#address, origin: this.#url, ...(cookie === '' ? {} : { cookie }) }
  }

  async ask(path: string, options: Call = {}): Promise<Answer> {
    const answer = await call(this.#url + path, { ...options, headers: { ...this.headers, ...options.headers } })
    for (const line of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      this.#cookies.set(name, value)
    }
    return answer
  }

  send(path: string, body: unknown, method = 'POST', withinMs = WITHIN_MS): Promise<Answer> {
    const headers = { 'content-type': 'application/json' }
    return this.ask(path, { method, headers, body: JSON.stringify(body), withinMs })
  }

  /** Registers the account. @returns whether the board has it */
  async register(): Promise<boolean> {
    const { username, password } = this.account!
    const email = `${Buffer.from(username).toString('hex')}@torture.example.jp`
    const { status } = await this.send('/auth/register', { username, email, password })
    // 409: the account exists, and its answer was lost.
    return status === 201 || status === 409
  }

  async logIn(): Promise<Answer> {
    this.#cookies.clear()
    const answer = await this.send('/auth/login', this.account)
    if (answer.status === 200) this.userId = readJson<{ user: { _id: string } }>(answer).user._id
    return answer
  }

  /** Opens a socket that reconnects by itself. */
  connect(): void {
    this.#socket = io(this.#url, {
      ...{ transports: ['websocket'], forceNew: true, extraHeaders: this.headers },
      ...{ reconnectionDelay: RECONNECT_MS, reconnectionDelayMax: 4 * RECONNECT_MS, timeout: WITHIN_MS },
    })
  }

  get isConnected(): boolean {
    return this.#socket?.connected === true
  }

  /** Null without an answer: the connection broke, or timed out. */
  async emitPost(input: NewPost): Promise<PostAck | null> {
    try {
      return await this.#socket!.timeout(WITHIN_MS).emitWithAck('newPost', input)
    } catch {
      return null
    }
  }

  close(): void {
    this.#socket?.disconnect()
  }
}
