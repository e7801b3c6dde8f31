/**
 * What the board writes to its members. Tokens stand behind a #, which browsers keep to themselves: they reach no log and no
 * proxy. Nothing that somebody typed stands in these mails, as anybody can have one sent to anybody.
 */
import { RESET_LINK_MINUTES, VERIFY_LINK_MINUTES } from '@shinobi/contract/limits'
import type { Mail } from './mailer.ts'

export interface Link {
  readonly publicUrl: string
  readonly to: string
  readonly token: string
}

export const writeResetMail = ({ publicUrl, to, token }: Link): Mail => ({
  to,
  subject: '【忍板】パスワードの再設定',
  text: `忍板でパスワードの再設定が申し込まれました。
${RESET_LINK_MINUTES}分以内に次のリンクを開き、新しいパスワードを設定してください。

${publicUrl}/reset-password#${token}

このリンクは一度だけ使えます。設定すると、すべての端末からログアウトします。
心当たりのない場合は、このメールを破棄してください。パスワードは変わりません。
${signature(publicUrl)}`,
})

export const writeVerificationMail = ({ publicUrl, to, token }: Link): Mail => ({
  to,
  subject: '【忍板】メールアドレスの確認',
  text: `忍板の会員登録で、このメールアドレスが入力されました。
ご自身で登録された場合は、${VERIFY_LINK_MINUTES / 60}時間以内に次のリンクを開いて、アドレスを確認してください。

${publicUrl}/verify-email#${token}

心当たりのない場合は、リンクを開かずに、このメールを破棄してください。
${signature(publicUrl)}`,
})

const signature = (publicUrl: string): string => `
-- 
忍板
${publicUrl}/
このメールは自動で送られています。返信は届きません。
`
