import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { useSite } from '../../app/site-context.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountForm } from './account-form.tsx'
import { findEmailProblem } from './account-rules.ts'
import { forgotPassword } from './api.ts'
import { EmailField, focusFirst, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { useRequest } from '../../lib/use-request.ts'

export function ForgotForm() {
  const request = useRequest()
  const { busy, complain, send } = request
  const [sent, setSent] = useState<string | null>(null)

  const submit = async (form: HTMLFormElement) => {
    const { email } = readForm(form, 'email')
    const wrong = findEmailProblem(email)
    if (wrong !== null) {
      complain(email === '' ? messages.email_invalid : wrong)
      focusFirst(form, ['email'])
      return
    }
    await send(async () => setSent((await forgotPassword(email)).message))
  }

  if (sent !== null) return <Notice tone="success">{sent}</Notice>
  return (
    <AccountForm request={request} onSubmit={submit} label={busy ? '送っています…' : '案内を送る'}>
      {(about) => <EmailField describedBy={about('email')} />}
    </AccountForm>
  )
}

/** Shown where the board cannot send mail: its administrator can help. */
export function NoMail() {
  const { contactEmail, googleClientId } = useSite()
  return (
    <div className={styles['text']}>
      <p>{messages.password_reset_unavailable}</p>
      {contactEmail !== null && (
        <p>
          連絡先: <a href={`mailto:${contactEmail}`}>{contactEmail}</a>
        </p>
      )}
      {googleClientId !== null && (
        <p className={styles['note']}>Googleと連携しているアカウントなら、Googleでログインして新しく設定できます。</p>
      )}
    </div>
  )
}
