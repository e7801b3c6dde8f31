/**
 * Texts of the board's mails to members. Tokens are placed after a #, which browsers do not send:
 * they never reach a log or a proxy. These mails contain no text that a user typed, as anybody can
 * have one sent to any address.
 */
import type { MailsTable } from '../../db/tables.ts'
import type { Mail } from './mailer.ts'

export interface Link {
  readonly publicUrl: string
  readonly token: string
  /** Mails name the date and time: "in an hour" is wrong for a mail that waited to be sent. */
  readonly expiresAt: Date
}

type MailText = Pick<Mail, 'subject' | 'text'>

export const writeMail = (purpose: MailsTable['purpose'], link: Link): MailText => WRITERS[purpose](link)

const writeResetMail = ({ publicUrl, token, expiresAt }: Link): MailText => ({
  subject: '【忍板】パスワードの再設定',
  text: `忍板でパスワードの再設定が申し込まれました。
${JAPANESE_TIME.format(expiresAt)}（日本時間）までに次のリンクを開き、新しいパスワードを設定してください。

${publicUrl}/reset-password#${token}

このリンクは一度だけ使えます。設定すると、すべての端末からログアウトします。
心当たりのない場合は、このメールを破棄してください。パスワードは変わりません。
${signature(publicUrl)}`,
})

const writeVerificationMail = ({ publicUrl, token, expiresAt }: Link): MailText => ({
  subject: '【忍板】メールアドレスの確認',
  text: `忍板の会員登録で、このメールアドレスが入力されました。
ご自身で登録された場合は、${JAPANESE_TIME.format(expiresAt)}（日本時間）までに次のリンクを開いて、アドレスを確認してください。
確認が済むと、このアドレスでのログインと、パスワードの再設定ができるようになります。

${publicUrl}/verify-email#${token}

心当たりのない場合は、リンクを開かずに、このメールを破棄してください。
${signature(publicUrl)}`,
})

const writeInUseMail = ({ publicUrl }: Link): MailText => ({
  subject: '【忍板】お使いのメールアドレスでの会員登録',
  text: `忍板の会員登録で、このメールアドレスが入力されました。
このメールアドレスは、あなたの会員ですでに確認済みです。ほかの会員では確認できません。

ご自身で登録された場合は、前からの会員でログインしてください。
パスワードをお忘れのときは、次のページから再設定できます。

${publicUrl}/forgot-password

心当たりのない場合は、このメールを破棄してください。あなたの会員は変わりません。
${signature(publicUrl)}`,
})

const WRITERS: Readonly<Record<MailsTable['purpose'], (link: Link) => MailText>> = {
  reset: writeResetMail,
  verify: writeVerificationMail,
  in_use: writeInUseMail,
}

const JAPANESE_TIME = new Intl.DateTimeFormat('ja-JP', {
  timeZone: 'Asia/Tokyo',
  month: 'long',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

const signature = (publicUrl: string): string => `
-- 
忍板
${publicUrl}/
このメールは自動で送られています。返信は届きません。
`
