/** A mail server for a board: takes every mail over SMTP and keeps its text. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface MailBox {
  /** For SMTP_URL. */
  readonly url: string
  readonly mails: { readonly to: string; readonly text: string }[]
  close(): Promise<void>
}

export async function openMailBox(): Promise<MailBox> {
  const mails: MailBox['mails'] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, { envelope }, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push({ to: envelope.rcptTo[0]?.address ?? '', text: textOf(Buffer.concat(chunks).toString('latin1')) })
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

function textOf(raw: string): string {
  const end = raw.indexOf('\r\n\r\n')
  const [head, body] = [raw.slice(0, end), raw.slice(end + 4)]
  if (/^content-transfer-encoding: base64/im.test(head)) return Buffer.from(body, 'base64').toString()
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
