import { messages } from '@shinobi/contract/messages'
import { useId, useState, type FormEvent } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { leaveSession } from '../../lib/session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { findPasswordProblem } from './account-rules.ts'
import { resetPassword } from './api.ts'
import { focusField, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { Submit } from './submit.tsx'
import { useLinkToken } from './use-link-token.ts'
import { useRequest } from './use-request.ts'

export function ResetForm() {
  const token = useLinkToken()
  const navigate = useNavigate()
  const { busy, problem, complain, send } = useRequest()
  const [done, setDone] = useState<string | null>(null)
  const problemId = useId()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    if (busy || token === null) return
    const { password } = readForm(form, 'password')
    const wrong = findPasswordProblem(password)
    if (wrong !== null) {
      complain(wrong === messages.register_required_fields ? messages.password_length : wrong)
      focusField(form, 'password')
      return
    }
    await send(async () => {
      setDone((await resetPassword(token, password)).message)
      // The server has ended this browser's session with the others, and the token is used up.
      leaveSession()
      await navigate(paths.resetPassword, { replace: true })
    })
  }

  if (done !== null) {
    return (
      <div className={styles['text']}>
        <Notice tone="success">{done}</Notice>
        <ButtonLink to={paths.login()} variant="primary">
          ログインする
        </ButtonLink>
      </div>
    )
  }
  if (token === '') return <DeadLink />
  return (
    <form
      className={styles['form']}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onInput={() => complain(null)}
    >
      <PasswordField kind="new" label="新しいパスワード" describedBy={problem === null ? undefined : problemId} />
      <Submit busy={busy} problem={problem} problemId={problemId}>
        {busy ? '設定しています…' : 'パスワードを設定する'}
      </Submit>
    </form>
  )
}

/** Opened without its token: a link that was cut, or a page that was reloaded after use. */
export function DeadLink() {
  return <Notice tone="error">{messages.link_invalid}</Notice>
}
