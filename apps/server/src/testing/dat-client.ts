/**
 * A browser of 2ch as JDim 0.9 is one: it keeps the bytes of a dat and asks for what is behind
 * them, and sends forms in CP932 with the cookies of the host.
 */
import { decodeCp932, encodeCp932 } from '@shinobi/dat/cp932'
import { ask, type WireAnswer } from './wire.ts'

export type Fetched =
  | 'all'
  | 'more'
  | 'nothing new'
  /** What JDim shows in red: its copy does not fit the dat any more. */
  | 'broken'
  /** DAT落ち */
  | 'gone'

export interface DatClient {
  /** What is stored of the dat. */
  readonly stored: Buffer
  /** Asks for the dat, or for what is new in it. */
  fetch(): Promise<Fetched>
}

const AGENT = 'Monazilla/1.00 JD'
const NEWLINE = 0x0a

/** @param url of the dat */
export function createDatClient(url: string): DatClient {
  let stored: Buffer = Buffer.alloc(0)
  let modified: string | undefined
  return {
    get stored() {
      return stored
    },
    async fetch() {
      const isFirst = stored.length === 0
      const answer = await ask(url, {
        headers: {
          'user-agent': AGENT,
          connection: 'close',
          ...(isFirst ? { 'accept-encoding': 'identity' } : { range: `bytes=${stored.length - 1}-` }),
          ...(modified === undefined ? {} : { 'if-modified-since': modified }),
        },
      })
      const { status, headers, bytes } = answer
      if (status === 304) return 'nothing new'
      if ([404, 301, 302].includes(status)) return 'gone'
      modified = headers['last-modified'] ?? modified
      if (status === 200 && isFirst) {
        stored = bytes
        return 'all'
      }
      if (status !== 206 || bytes[0] !== NEWLINE) return 'broken'
      stored = Buffer.concat([stored, bytes.subarray(1)])
      return bytes.length === 1 ? 'nothing new' : 'more'
    },
  }
}

export interface Written {
  /** As JDim tells them apart. */
  readonly kind: 'written' | 'refused' | 'asked'
  /** The text of the answer, without its markup. */
  readonly text: string
  /** Of a question: the fields of its form, which are sent in place of those that were typed. */
  readonly form?: Readonly<Record<string, string>>
}

export interface PostingClient {
  readonly cookies: Map<string, string>
  /** Sends a form as it is. */
  send(fields: Readonly<Record<string, string>>): Promise<Written>
  /** Sends a form, and the form of the answer when it is asked to. */
  post(fields: Readonly<Record<string, string>>): Promise<Written>
}

/** @param base of the server. @param from source address: any address of 127.0.0.0/8 */
export function createPostingClient(base: string, from = '127.0.0.1'): PostingClient {
  const cookies = new Map<string, string>()
  const send: PostingClient['send'] = async (fields) => {
    const isEmpty = cookies.size === 0
    const answer = await ask(`${base}/test/bbs.cgi`, {
      method: 'POST',
      from,
      headers: {
        'user-agent': AGENT,
        'content-type': 'application/x-www-form-urlencoded',
        referer: `${base}/${fields['bbs']}/`,
        ...(isEmpty ? {} : { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
      },
      body: encodeForm(fields),
    })
    const isFirstCookie = isEmpty && answer.headers['set-cookie'] !== undefined
    for (const cookie of answer.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      cookies.set(name, value)
    }
    return toWritten(answer, isFirstCookie)
  }
  return {
    cookies,
    send,
    async post(fields) {
      const answer = await send(fields)
      return answer.kind === 'asked' ? send(answer.form ?? fields) : answer
    },
  }
}

function toWritten({ status, bytes }: WireAnswer, isFirstCookie: boolean): Written {
  const html = decodeCp932(bytes)
  const text = html
    .replaceAll(/<br>/g, '\n')
    .replaceAll(/<[^>]*>/g, '')
    .trim()
  if (status !== 200) return { kind: 'refused', text: String(status) }
  const isAsked = isFirstCookie || /<title>[^<]*書き込み確認|2ch_X:cookie/.test(html)
  if (isAsked) return { kind: 'asked', text, ...(html.includes('<form') && { form: readInputs(html) }) }
  return { kind: /<title>[^<]*書きこみました|2ch_X:true/.test(html) ? 'written' : 'refused', text }
}

/** The inputs of a form. References are decoded in MESSAGE alone, as JDim does it. */
const readInputs = (html: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Array.from(html.matchAll(/<input [^>]*name="([^"]*)" value="([^"]*)">/g), ([, name = '', value = '']) => [
      name,
      name === 'MESSAGE' ? unescapeHtml(value) : value,
    ]),
  )

const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

const unescapeHtml = (html: string): string =>
  html.replaceAll(/&(?:#(\d+)|(amp|lt|gt|quot));/g, (_, code: string | undefined, name: string) =>
    code === undefined ? NAMED[name]! : String.fromCodePoint(Number(code)),
  )

/** A form in CP932; only bytes that must be are escaped, as JDim does it. */
const encodeForm = (fields: Readonly<Record<string, string>>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${escapeBytes(encodeCp932(value))}`)
    .join('&')

const escapeBytes = (bytes: Buffer): string =>
  Array.from(bytes, (byte) => {
    const character = String.fromCharCode(byte)
    if (/[\w.*-]/.test(character)) return character
    return byte === 0x20 ? '+' : `%${byte.toString(16).padStart(2, '0')}`
  }).join('')
