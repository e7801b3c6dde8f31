import { messages } from '@shinobi/contract/messages'
import { useId, useState, type FormEvent } from 'react'
import { useSite } from '../../app/site-context.tsx'
import { Notice } from '../../ui/notice.tsx'
import { findEmailProblem } from './account-rules.ts'
import { forgotPassword } from './api.ts'
import { EmailField, focusField, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { Submit } from './submit.tsx'
import { useRequest } from './use-request.ts'

export function ForgotForm() {
  const { busy, problem, complain, send } = useRequest()
  const [sent, setSent] = useState<string | null>(null)
  const problemId = useId()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (busy) return
    const { email } = readForm(form, 'email')
    const wrong = findEmailProblem(email)
    if (wrong !== null) {
      complain(email === '' ? messages.email_invalid : wrong)
      focusField(form, 'email')
      return
    }
    await send(async () => setSent((await forgotPassword(email)).message))
  }

  if (sent !== null) return <Notice tone="success">{sent}</Notice>
  return (
    <form
      className={styles['form']}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onInput={() => complain(null)}
    >
      <EmailField describedBy={problem === null ? undefined : problemId} />
      <Submit busy={busy} problem={problem} problemId={problemId}>
        {busy ? '送っています…' : '案内を送る'}
      </Submit>
    </form>
  )
}

/** A board that cannot send mail: its administrator can help. */
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
