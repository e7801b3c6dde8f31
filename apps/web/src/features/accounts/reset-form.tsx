import { messages } from '@shinobi/contract/messages'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '../../app/paths.ts'
import { leaveSession } from './session.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { AccountForm } from './account-form.tsx'
import { findPasswordProblem } from './account-rules.ts'
import { resetPassword } from './api.ts'
import { focusFirst, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { readLinkToken, useLinkToken } from './use-link-token.ts'
import { useRequest } from '../../lib/use-request.ts'

export function ResetForm() {
  const token = useLinkToken()
  const navigate = useNavigate()
  const request = useRequest()
  const { busy, complain, send } = request
  const [done, setDone] = useState<string | null>(null)

  const submit = async (form: HTMLFormElement) => {
    const { password } = readForm(form, 'password')
    const wrong = findPasswordProblem(password)
    if (wrong !== null) {
      complain(wrong === messages.register_required_fields ? messages.password_length : wrong)
      focusFirst(form, ['password'])
      return
    }
    await send(async () => {
      setDone((await resetPassword(readLinkToken(), password)).message)
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
    <AccountForm request={request} onSubmit={submit} label={busy ? '設定しています…' : 'パスワードを設定する'}>
      {(about) => <PasswordField kind="new" label="新しいパスワード" describedBy={about('password')} />}
    </AccountForm>
  )
}

/** Shown without a token: the link was truncated, or the page was reloaded after use. */
export function DeadLink() {
  return <Notice tone="error">{messages.link_invalid}</Notice>
}
