/** A mail server for tests: receives mails over SMTP and stores them. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail as it was received. */
export interface ReceivedMail {
  /** Addresses of the envelope. */
  readonly from: string
  readonly to: readonly string[]
  /** Header names in lower case; a repeated header has several values. */
  readonly headers: ReadonlyMap<string, readonly string[]>
  /** The text, decoded. */
  readonly text: string
}

export interface MailServer {
  readonly url: string
  readonly mails: ReceivedMail[]
  /**
   * What happens to the next mails: accepted; their recipient refused permanently (550) or
   * temporarily (451); accepted without an answer, as by a server that dies at that moment.
   */
  answer: 'take' | 'refuse' | 'later' | 'silence'
  /** Resolves when a mail was received that gets no answer. */
  silenced(): Promise<void>
  close(): Promise<void>
}

const REFUSALS = { refuse: 550, later: 451 } as const

/** @param port 0 selects a free one */
export async function openMailServer(port = 0): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    // Connections without an answer are still open when a test ends.
    closeTimeout: 100,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, done) => {
      const { answer } = mailServer
      if (answer === 'take' || answer === 'silence') return done()
      done(Object.assign(new Error(`there is no ${address} here`), { responseCode: REFUSALS[answer] }))
    },
    onData: (stream, session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          ...readMail(Buffer.concat(chunks).toString('latin1')),
        })
        if (mailServer.answer !== 'silence') return done()
        for (const tell of waiting.splice(0)) tell()
      })
    },
  })
  const waiting: (() => void)[] = []
  server.on('error', () => {})
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  const mailServer: MailServer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    answer: 'take',
    silenced: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  return mailServer
}

function readMail(raw: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = raw.indexOf('\r\n\r\n')
  const headers = new Map<string, string[]>()
  for (const line of raw
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')) {
    const [name = '', value = ''] = line.split(/:\s*(.*)/s)
    headers.set(name.toLowerCase(), [...(headers.get(name.toLowerCase()) ?? []), decodeWords(value)])
  }
  const encoding = headers.get('content-transfer-encoding')?.[0] ?? '7bit'
  return { headers, text: decodeBody(raw.slice(end + 4), encoding) }
}

function decodeBody(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  const bytes =
    encoding === 'quoted-printable'
      ? body
          .replace(/=\r\n/g, '')
          .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)))
      : body
  return Buffer.from(bytes, 'latin1').toString('utf8')
}

/** Decodes non-ASCII headers, which are sent as encoded words (RFC 2047). */
const decodeWords = (value: string): string =>
  value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString('utf8')
        : decodeBody(text.replaceAll('_', ' '), 'quoted-printable'),
    )
