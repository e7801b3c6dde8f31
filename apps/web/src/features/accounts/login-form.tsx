import { messages } from '@shinobi/contract/messages'
import { useId, type FormEvent } from 'react'
import { ApiError } from '../../lib/api-client.ts'
import { enterSession } from '../../lib/session.ts'
import { logIn } from './api.ts'
import { focusField, NameField, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { Submit } from './submit.tsx'
import { useRequest } from './use-request.ts'

/** Ends with a session; where that leads, the page's guard knows. */
export function LoginForm() {
  const { busy, problem, complain, send } = useRequest()
  const problemId = useId()

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const element = event.currentTarget
    if (busy) return
    const { username, password } = readForm(element, 'username', 'password')
    if (username.trim() === '' || password === '') {
      complain(messages.login_required_fields)
      focusField(element, username.trim() === '' ? 'username' : 'password')
      return
    }
    const entered = await send(async () => enterSession((await logIn(username, password)).user), describe)
    // SPEC §5: empty after each try, so that no password stays behind.
    element.reset()
    if (!entered) focusField(element, 'username')
  }

  const wrong = problem === null ? undefined : problemId
  return (
    <form
      className={styles['form']}
      method="post"
      noValidate
      onSubmit={(event) => void submit(event)}
      onInput={() => complain(null)}
    >
      <NameField hint="メールアドレスでもログインできます。" describedBy={wrong} />
      <PasswordField kind="current" describedBy={wrong} />
      <Submit busy={busy} problem={problem} problemId={problemId}>
        {busy ? 'ログインしています…' : 'ログイン'}
      </Submit>
    </form>
  )
}

/** SPEC §8: one message whatever was wrong; who has to wait, or cannot be heard at all, is told so. */
function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.login_failed
  if (error.status === 0 || error.status === 429) return error.message
  return error.status >= 500 ? `${messages.login_failed}。${error.message}` : messages.login_failed
}
