/** Whether a mail address is really its member's: links that confirm it. */
import { VERIFY_LINK_MINUTES } from '@shinobi/contract/limits'
import type { Deps } from '../../deps.ts'
import { refuse } from '../../lib/api-error.ts'
import { insertMailToken, selectMailToken, type MailToken } from './mail-tokens.queries.ts'
import { writeVerificationMail } from './mail-texts.ts'
import { foldEmail, selectUser, updateUser } from './users.queries.ts'

type MailDeps = Pick<Deps, 'db' | 'now' | 'config' | 'mailer' | 'background' | 'accountLimits'>

/**
 * Mails the link in the background, when the board can send mails; that it failed is in the log alone. Who opens accounts with
 * one address again and again, and deletes them, does not have its owner mailed each time.
 */
export function mailVerification(deps: MailDeps, to: MailToken): void {
  if (deps.mailer === null) return
  deps.background.run(async () => {
    const isDue = await deps.accountLimits.verificationMailsTo.take(foldEmail(to.email)).then(
      () => true,
      () => false,
    )
    if (isDue) await send(deps, to)
  })
}

async function send({ db, now, config, mailer }: MailDeps, { userId, email }: MailToken): Promise<boolean> {
  const token = await insertMailToken(db, {
    purpose: 'verify',
    userId,
    email,
    minutes: VERIFY_LINK_MINUTES,
    at: new Date(now()),
  })
  return mailer !== null && mailer.send(writeVerificationMail({ publicUrl: config.publicUrl, to: email, token }))
}

/**
 * Mails the link because the member asks for it, and waits until the mail server has it.
 * @returns false when the address is confirmed already
 * @throws ApiError bad_email without an address, too_many_requests, unavailable when no mail can be sent
 */
export async function sendVerification(deps: Deps, userId: string): Promise<boolean> {
  const user = await selectUser(deps.db, userId)
  if (user === undefined) throw refuse('unauthorized', 'session_expired')
  if (user.email === null) throw refuse('bad_email', 'email_missing')
  if (user.emailVerifiedAt !== null) return false
  if (deps.mailer === null) throw refuse('unavailable', 'mail_unavailable')
  const { verificationMailsTo } = deps.accountLimits
  const key = foldEmail(user.email)
  await verificationMailsTo.take(key)
  if (!(await send(deps, { userId, email: user.email }))) {
    await verificationMailsTo.giveBack(key)
    throw refuse('unavailable', 'mail_failed')
  }
  return true
}

/**
 * Confirms the address that a link was mailed to. The link stays good until it expires, as opening it twice says nothing new.
 * @throws ApiError bad_token for a link that is wrong, has expired, or was mailed to another address than the member's present one
 */
export async function verifyEmail({ db, now }: Deps, token: string): Promise<void> {
  const at = new Date(now())
  const link = await selectMailToken(db, 'verify', token, at)
  const user = link === undefined ? undefined : await selectUser(db, link.userId)
  if (link === undefined || user === undefined || user.emailKey !== foldEmail(link.email)) {
    throw refuse('bad_token', 'link_invalid')
  }
  if (user.emailVerifiedAt === null) await updateUser(db, user.id, { emailVerifiedAt: at })
}
