/**
 * Mailed links, sent through a queue in the database. A request for a link writes its token and the
 * mail in one transaction; a process sends the mail after the commit, and retries while the mail
 * server is unreachable. Delivery is at least once: if a process dies after the mail server
 * accepted a mail and before its row is deleted, the mail is sent again with the same Message-ID.
 */
import type { Transaction } from 'kysely'
import { RESET_LINK_MINUTES, VERIFY_LINK_MINUTES } from '@shinobi/contract/limits'
import type { Config } from '../../config.ts'
import type { Core } from '../../core.ts'
import type { MailProblem, MailsTable, Tables } from '../../db/tables.ts'
import { afterCommit } from '../../db/transaction.ts'
import { createSecretBox } from '../../lib/secret-box.ts'
import { hashToken } from '../../lib/secret-token.ts'
import { uuidv7 } from '../../lib/uuid.ts'
import { createPoller } from '../../lib/poller.ts'
import { insertMailToken, type MailToken } from './mail-tokens.queries.ts'
import { writeMail } from './mail-texts.ts'
import { createMailer, type MailError, type Mailer } from './mailer.ts'
import { createMailMetrics, type MailMetrics } from './mails.metrics.ts'
import {
  claimMail,
  deleteMail,
  deleteReplacedMails,
  giveUpExpiredMails,
  giveUpMail,
  insertMail,
  releaseMail,
  type ClaimedMail,
  type GivenUpMail,
} from './mails.queries.ts'

type Purpose = MailsTable['purpose']

export interface Mails {
  /**
   * Writes the token of a link, and the mail that carries it, within the caller's transaction. The
   * caller sends it after the commit with `wake` or `tryNow`. Replaces an unsent mail for the same
   * user and purpose.
   * @returns the mail's id
   */
  queue(tx: Transaction<Tables>, purpose: Purpose, to: MailToken): Promise<string>
  /** Sends what is due, in the background. */
  wake(): void
  /** Sends one mail and returns the result; 'waiting' is retried later. */
  tryNow(id: string): Promise<'sent' | 'waiting' | 'refused'>
  /**
   * Gives up mails whose links have expired. Must run before expired tokens are deleted: that
   * deletes their mails too, without a log line or a count.
   */
  giveUpExpired(at: Date): Promise<void>
  /** Resolves when every due mail has been attempted. */
  settle(): Promise<void>
  /** Waits a few seconds for the mail that is being sent, else releases it to the next process. */
  close(): Promise<void>
}

const LINK_MINUTES: Readonly<Record<Purpose, number>> = {
  reset: RESET_LINK_MINUTES,
  verify: VERIFY_LINK_MINUTES,
  in_use: VERIFY_LINK_MINUTES,
}

/**
 * Minutes between attempts: greylisting ends within minutes, a restart within the hour, and an
 * operator repairs the rest within a day. A link that expires first ends its mail.
 */
export const PAUSES: readonly number[] = [1, 5, 15, 60, 180, 360, 720]
const TRIES_MAX = PAUSES.length + 1
/** How often the queue is polled for retries, and for mails that another process has queued. */
const LOOK_EVERY_MS = 15_000
/** Pause after the mail server was unreachable or refused us. The waiting mails lose no attempt. */
const AWAY_MS = 60_000
/** How long a stop waits for the mail that is being sent. */
const CLOSE_WITHIN_MS = 3_000
const EXPIRED_AT_ONCE = 500

export interface MailsOptions extends Pick<Core, 'db' | 'now' | 'log'> {
  readonly mailer: Mailer
  readonly config: Pick<Config, 'publicUrl' | 'mailFrom'>
  readonly secret: string
  readonly metrics: MailMetrics
}

/** The mails of a board; null where it sends none. */
export function openMails(core: Pick<Core, 'config' | 'db' | 'now' | 'log' | 'secret' | 'metrics'>): Mails | null {
  const metrics = createMailMetrics(core.metrics, core.db)
  const mailer = createMailer(core.config)
  return mailer === null ? null : createMails({ ...core, mailer, metrics })
}

export function createMails({ mailer, db, now, log, config, secret, metrics }: MailsOptions): Mails {
  const seal = createSecretBox(secret, 'mails')
  const domain = config.mailFrom!.split('@').at(-1)!
  const stop = new AbortController()
  const trying = new Set<Promise<unknown>>()
  let awaySince = -Infinity
  let closing = false
  const at = (): Date => new Date(now())
  /** A pause that begins in the future is over: the clock was set back since. */
  const isAway = (): boolean => now() >= awaySince && now() < awaySince + AWAY_MS
  const poller = createPoller({ name: 'the queue of mails', everyMs: LOOK_EVERY_MS, poll: sendDue, log })

  /**
   * Sends one mail after the other: a burst of connections would look like spam to the mail server.
   */
  async function sendDue(): Promise<void> {
    while (!closing && !isAway()) {
      const mail = await claimMail(db, { at: at(), pauses: PAUSES })
      if (mail === undefined) return
      await tryMail(mail)
    }
  }

  async function tryMail(mail: ClaimedMail): Promise<'sent' | 'waiting' | 'refused'> {
    const { id, purpose, tries, email: to, expiresAt } = mail
    const refused = async (problem: MailProblem, error?: MailError) => {
      if (await giveUpMail(db, id, problem, at())) logGivenUp(mail, problem, error)
      return 'refused' as const
    }
    if (expiresAt.getTime() <= now()) return refused('expired')
    // A process died during the last attempt.
    if (tries > TRIES_MAX) return refused('failed')
    const token = openToken(mail)
    if (token === null) return refused('unreadable')
    const text = writeMail(purpose, { publicUrl: config.publicUrl, token, expiresAt })
    const delivery = await mailer.send({ messageId: `${id}@${domain}`, to, ...text }, stop.signal)
    switch (delivery.kind) {
      case 'sent':
        metrics.count('sent')
        await deleteMail(db, id)
        return 'sent'
      case 'stopped':
        await releaseMail(db, id, at())
        return 'waiting'
      case 'refused':
        metrics.count('failed_try')
        return refused('refused', delivery.error)
      case 'failed':
        metrics.count('failed_try')
        if (delivery.isAway) awaySince = now()
        if (tries >= TRIES_MAX) return refused('failed', delivery.error)
        log.info({ mail: id, tries, ...delivery.error }, 'a mail could not be sent and is tried again later')
        return 'waiting'
    }
  }

  function openToken({ id, sealedToken }: ClaimedMail): string | null {
    try {
      return seal.open(sealedToken, id)
    } catch {
      return null
    }
  }

  /** One line for each mail, without its address. */
  function logGivenUp({ id, purpose, tries }: GivenUpMail, problem: MailProblem, error?: MailError): void {
    metrics.count('given_up')
    log.warn({ mail: id, purpose, tries, problem, ...error }, 'a mail was given up')
  }

  return {
    async queue(tx, purpose, to) {
      const created = at()
      const id = uuidv7(created.getTime())
      await deleteReplacedMails(tx, to.userId, purpose)
      const token = await insertMailToken(tx, { ...to, purpose, minutes: LINK_MINUTES[purpose], at: created })
      const sealedToken = seal.seal(token, id)
      await insertMail(tx, { id, purpose, tokenHash: hashToken(token), sealedToken, at: created })
      afterCommit(tx, () => metrics.count('queued'))
      return id
    },
    wake: () => void poller.poll(),
    async tryNow(id) {
      if (closing || isAway()) return 'waiting'
      const trial = claimMail(db, { at: at(), pauses: PAUSES, id }).then((mail) =>
        mail === undefined ? 'waiting' : tryMail(mail),
      )
      trying.add(trial)
      try {
        return await trial
      } finally {
        trying.delete(trial)
      }
    },
    async giveUpExpired(before) {
      for (;;) {
        const expired = await giveUpExpiredMails(db, before, EXPIRED_AT_ONCE)
        for (const mail of expired) logGivenUp(mail, 'expired')
        if (expired.length < EXPIRED_AT_ONCE) return
      }
    },
    settle: poller.poll,
    async close() {
      closing = true
      const done = Promise.allSettled([poller.close(), ...trying])
      const timer = setTimeout(() => stop.abort(), CLOSE_WITHIN_MS)
      await done
      clearTimeout(timer)
    },
  }
}
