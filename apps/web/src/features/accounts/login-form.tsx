import { messages } from '@shinobi/contract/messages'
import { useEffect, useRef, useState } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { enterSession } from './session.ts'
import { useRequest } from '../../lib/use-request.ts'
import { AccountForm } from './account-form.tsx'
import { logIn } from './api.ts'
import { CodeField, readCode } from './code-field.tsx'
import { focusFirst, NameField, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'

type LoginField = 'username' | 'password' | 'code'

/**
 * Ends with a session; the page's guard decides where to go next. Asks for the second factor when
 * the account has one.
 */
export function LoginForm() {
  const request = useRequest()
  const { busy, complain, send } = request
  /** Name and password were right: only the code is missing. */
  const [asksCode, setAsksCode] = useState(false)
  const [wrong, setWrong] = useState<readonly LoginField[]>([])
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On touch screens as well, because it is the only remaining field.
    if (asksCode) fields.current?.querySelector<HTMLInputElement>('[name="code"]')?.focus()
  }, [asksCode])

  const submit = async (form: HTMLFormElement) => {
    const typed = readForm(form, 'username', 'password', 'code')
    const { username, password } = typed
    const missing: LoginField[] = []
    if (username.trim() === '') missing.push('username')
    if (password === '') missing.push('password')
    if (missing.length > 0) {
      setWrong(missing)
      complain(messages.login_required_fields)
      focusFirst(form, missing)
      return
    }
    const code = readCode(typed.code)
    if (asksCode && code === '') {
      setWrong(['code'])
      complain(messages.code_required)
      focusFirst(form, ['code'])
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
      // Not an error: the next field asks for the code.
      complain(null)
      setAsksCode(true)
      return
    }
    if (about === 'bad_code') {
      setWrong(['code'])
      form.querySelector<HTMLInputElement>('[name="code"]')!.value = ''
      focusFirst(form, ['code'])
      return
    }
    // The server has not checked the input: it stays, and so does the step of the code.
    const isHeard = refusal instanceof ApiError && refusal.status !== 0 && refusal.status < 500
    if (!isHeard) return setWrong([])
    // Cleared after each attempt, so that no password is left behind. After a rate limit the name
    // is kept.
    form.reset()
    if (about === 'too_many_requests') form.querySelector<HTMLInputElement>('[name="username"]')!.value = username
    setAsksCode(false)
    setWrong(about === 'bad_credentials' ? ['username', 'password'] : [])
    focusFirst(form, [about === 'too_many_requests' ? 'password' : 'username'])
  }

  return (
    <AccountForm request={request} onSubmit={submit} wrong={wrong} label={busy ? 'ログインしています…' : 'ログイン'}>
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

/**
 * The fixed message, with the reason. It does not reveal whether the name or the password was
 * wrong.
 */
function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.login_failed_because(messages.try_again)
  if (error.status === 0) return error.message
  if (error.code === 'bad_credentials') return messages.login_failed_because(messages.login_wrong)
  return messages.login_failed_because(error.reason)
}
