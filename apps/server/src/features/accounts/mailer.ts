/** Hands mails, as plain text, to the operator's mail server. */
import type { Config } from '../../config.ts'

export interface Mail {
  /** Without the brackets. The same for every attempt, so that receivers drop duplicates. */
  readonly messageId: string
  /** A single mail address as the contract accepts it, safe in a header. */
  readonly to: string
  readonly subject: string
  readonly text: string
}

/** The result of an attempt. */
export type Delivery =
  | { readonly kind: 'sent' | 'stopped' }
  /** The mail server permanently refuses this mail. */
  | { readonly kind: 'refused'; readonly error: MailError }
  /**
   * Try again later. `isAway`: the server accepts no mail at all for now, so that other mails need
   * not be tried.
   */
  | { readonly kind: 'failed'; readonly isAway: boolean; readonly error: MailError }

/** The parts of an error that may be logged: its message contains the address. */
export interface MailError {
  readonly code: string | undefined
  readonly responseCode: number | undefined
  readonly command: string | undefined
}

export interface Mailer {
  /**
   * @param signal aborts an attempt, with 'stopped': whether the mail was sent is not known then
   */
  send(mail: Mail, signal: AbortSignal): Promise<Delivery>
}

const SENDER = '忍板'
/** Timeouts to connect to the mail server, and for its answers once connected. */
const CONNECT_WITHIN_MS = 8_000
const ANSWER_WITHIN_MS = 15_000
/**
 * Limit of a whole attempt. Shorter than the shortest pause, so that two attempts of one mail never
 * overlap.
 */
const TRY_WITHIN_MS = 45_000

/** Null without SMTP_URL. */
export function createMailer({ smtpUrl, mailFrom }: Config): Mailer | null {
  if (smtpUrl === null || mailFrom === null) return null
  // Imported only where mails are sent: it takes 5 MB.
  const opened = import('nodemailer').then(({ createTransport }) =>
    createTransport({
      url: smtpUrl,
      connectionTimeout: CONNECT_WITHIN_MS,
      greetingTimeout: CONNECT_WITHIN_MS,
      dnsTimeout: CONNECT_WITHIN_MS,
      socketTimeout: ANSWER_WITHIN_MS,
      // The texts are ours; no part of a mail may be read from a file or fetched.
      disableFileAccess: true,
      disableUrlAccess: true,
    }),
  )
  return {
    async send({ messageId, to, subject, text }, signal) {
      const transport = await opened
      const sending = transport
        .sendMail({
          from: { name: SENDER, address: mailFrom },
          // As an object: a string would be parsed as a list of addresses.
          to: { name: '', address: to },
          messageId: `<${messageId}>`,
          subject,
          text,
          // Keeps out-of-office answers away.
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
        .then((): Delivery => ({ kind: 'sent' }), toFailure)
      return Promise.race([sending, endOf(signal, TRY_WITHIN_MS)])
    },
  }
}

/** Resolves when an attempt takes too long, or is stopped. */
function endOf(signal: AbortSignal, withinMs: number): Promise<Delivery> {
  const end = Promise.withResolvers<Delivery>()
  const timedOut: MailError = { code: 'ETIMEDOUT', responseCode: undefined, command: undefined }
  setTimeout(() => end.resolve({ kind: 'failed', isAway: true, error: timedOut }), withinMs).unref()
  const stop = (): void => end.resolve({ kind: 'stopped' })
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return end.promise
}

/**
 * 421: the server closes the connection; 503: bad sequence of commands. Neither is about the mail.
 */
const NOT_OF_THE_MAIL: ReadonlySet<number> = new Set([421, 503])

function toFailure(thrown: unknown): Delivery {
  const { code, responseCode, command } = thrown as Partial<MailError>
  const error: MailError = { code, responseCode, command }
  // Refused by the library, as the address is invalid in an envelope.
  if (code === 'EENVELOPE' && responseCode === undefined) return { kind: 'refused', error }
  // A refused log-in or sender is a wrong setting: the mail waits until the operator corrects it.
  const isOfTheMail =
    (code === 'EENVELOPE' || code === 'EMESSAGE') &&
    command !== 'MAIL FROM' &&
    responseCode !== undefined &&
    !NOT_OF_THE_MAIL.has(responseCode)
  if (!isOfTheMail) return { kind: 'failed', isAway: true, error }
  return responseCode >= 500 ? { kind: 'refused', error } : { kind: 'failed', isAway: false, error }
}
