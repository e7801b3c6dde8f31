import { messages } from '@shinobi/contract/messages'
import { ApiError } from '../../lib/api-client.ts'
import { enterSession } from '../../lib/session.ts'
import { AccountForm } from './account-form.tsx'
import { logIn } from './api.ts'
import { focusField, NameField, PasswordField, readForm } from './fields.tsx'
import { useRequest } from './use-request.ts'

/** Ends with a session; where that leads, the page's guard knows. */
export function LoginForm() {
  const request = useRequest()
  const { busy, complain, send } = request

  const submit = async (form: HTMLFormElement) => {
    const { username, password } = readForm(form, 'username', 'password')
    if (username.trim() === '' || password === '') {
      complain(messages.login_required_fields)
      focusField(form, username.trim() === '' ? 'username' : 'password')
      return
    }
    const entered = await send(async () => enterSession((await logIn(username, password)).user), describe)
    // SPEC §5: empty after each try, so that no password stays behind.
    form.reset()
    if (!entered) focusField(form, 'username')
  }

  return (
    <AccountForm request={request} onSubmit={submit} label={busy ? 'ログインしています…' : 'ログイン'}>
      {(about) => (
        <>
          <NameField hint="メールアドレスでもログインできます。" describedBy={about('username')} />
          <PasswordField kind="current" describedBy={about('password')} />
        </>
      )}
    </AccountForm>
  )
}

/** SPEC §8: one message whatever was wrong; who has to wait, or cannot be heard at all, is told so. */
function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.login_failed
  if (error.status === 0 || error.status === 429) return error.message
  return error.status >= 500 ? `${messages.login_failed}。${error.message}` : messages.login_failed
}
