import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { enterSession } from '../../lib/session.ts'
import { useRequest } from '../../lib/use-request.ts'
import { AccountForm } from './account-form.tsx'
import { logIn } from './api.ts'
import { CodeField, readCode } from './code-field.tsx'
import { focusField, NameField, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'

type LoginField = 'username' | 'password' | 'code'

/** Ends with a session; where that leads, the page's guard knows. Asks for the second factor when the account has one. */
export function LoginForm() {
  const request = useRequest()
  const { busy, complain, send } = request
  /** Name and password were right: only the code is missing. */
  const [asksCode, setAsksCode] = useState(false)
  const [wrong, setWrong] = useState<LoginField | undefined>(undefined)
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On touch screens as well: it is the one thing that is left to type.
    if (asksCode) fields.current?.querySelector<HTMLInputElement>('[name="code"]')?.focus()
  }, [asksCode])

  const submit = async (form: HTMLFormElement) => {
    const typed = readForm(form, 'username', 'password', 'code')
    const { username, password } = typed
    if (username.trim() === '' || password === '') {
      setWrong(undefined)
      complain(messages.login_required_fields)
      focusField(form, username.trim() === '' ? 'username' : 'password')
      return
    }
    const code = readCode(typed.code)
    if (asksCode && code === '') {
      setWrong('code')
      complain(messages.code_required)
      focusField(form, 'code')
      return
    }
    let refusal: unknown = null
    const entered = await send(
      async () => enterSession((await logIn(username, password, asksCode ? code : undefined)).user),
      (error) => {
        refusal = error
        return describe(error)
      },
    )
    if (entered) return form.reset()
    const about = refusal instanceof ApiError ? refusal.code : null
    if (about === 'code_required') {
      // Nothing was wrong: the next field says what is missing.
      complain(null)
      setAsksCode(true)
      return
    }
    if (about === 'bad_code') {
      setWrong('code')
      form.querySelector<HTMLInputElement>('[name="code"]')!.value = ''
      focusField(form, 'code')
      return
    }
    // A failure that says nothing of what was typed leaves the way to the code open.
    const isHeard = refusal instanceof ApiError && refusal.status !== 0 && refusal.status < 500
    if (asksCode && !isHeard) return
    // SPEC §5: empty after each try, so that no password stays behind.
    form.reset()
    setAsksCode(false)
    setWrong(undefined)
    focusField(form, 'username')
  }

  return (
    <AccountForm
      request={request}
      onSubmit={submit}
      {...(wrong !== undefined && { wrong })}
      label={busy ? 'ログインしています…' : 'ログイン'}
    >
      {(about) => (
        <div ref={fields} className={styles['fields']}>
          <NameField hint="確認済みのメールアドレスも使えます。" describedBy={about('username')} />
          <PasswordField kind="current" describedBy={about('password')} />
          {asksCode && <CodeField describedBy={about('code')} />}
        </div>
      )}
    </AccountForm>
  )
}

/** SPEC §8: one message whatever was wrong; who has to wait, or cannot be heard at all, is told so. */
function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.login_failed
  if (error.status === 0 || error.status === 429 || error.code === 'bad_code') return error.message
  return error.status >= 500 ? `${messages.login_failed}。${error.message}` : messages.login_failed
}
