/** Mails, as plain text, through the operator's mail server. */
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'

export interface Mail {
  /** A mail address as the contract takes it: one, without anything a header could trip over. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mailer {
  /** Hands a mail to the mail server. False when that failed; why is in the log, to whom is not. */
  send(mail: Mail): Promise<boolean>
}

const SENDER = '忍板'
/** Milliseconds to reach the mail server, and to hear from it once it is reached. */
const CONNECT_WITHIN_MS = 8_000
const ANSWER_WITHIN_MS = 15_000

/** Null without SMTP_URL. */
export function createMailer({ smtpUrl, mailFrom }: Config, log: FastifyBaseLogger): Mailer | null {
  if (smtpUrl === null || mailFrom === null) return null
  // Read only where mails are sent: it takes 5 MB.
  const opened = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url: smtpUrl,
      connectionTimeout: CONNECT_WITHIN_MS,
      greetingTimeout: CONNECT_WITHIN_MS,
      dnsTimeout: CONNECT_WITHIN_MS,
      socketTimeout: ANSWER_WITHIN_MS,
      // Texts are ours; nothing in a mail may ever be read from a file or fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  return {
    async send({ to, subject, text }) {
      try {
        const transport = await opened
        await transport.sendMail({
          from: { name: SENDER, address: mailFrom },
          // As an object: a text would be read as a list of addresses.
          to: { name: '', address: to },
          subject,
          text,
          // Out-of-office answers stay away.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        return true
      } catch (error) {
        // The message repeats the address, and what the server said of it.
        const { code, responseCode, command } = error as { code?: string; responseCode?: number; command?: string }
        log.warn({ code, responseCode, command }, 'a mail could not be sent')
        return false
      }
    },
  }
}
