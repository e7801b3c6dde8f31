import type { User } from '@shinobi/contract/accounts'
import { messages } from '@shinobi/contract/messages'
import { useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../app/paths.ts'
import { ApiError } from '../../lib/api-client.ts'
import { AccountForm } from './account-form.tsx'
import { findRegisterProblem, type RegisterField } from './account-rules.ts'
import { logIn, register } from './api.ts'
import { EmailField, focusFirst, NameField, PasswordField, readForm } from './fields.tsx'
import styles from './forms.module.css'
import { useRequest } from '../../lib/use-request.ts'

export function RegisterForm({ onEntered }: { onEntered: (user: User, message: string) => void }) {
  const request = useRequest()
  const { busy, complain, send } = request
  const [wrong, setWrong] = useState<readonly RegisterField[]>([])
  /** Names whose registration got no answer: the account may exist. */
  const unanswered = useRef(new Set<string>())

  const submit = async (form: HTMLFormElement) => {
    const typed = readForm(form, 'username', 'email', 'password')
    const found = findRegisterProblem(typed)
    let fields: readonly RegisterField[] = found?.fields ?? []
    if (found === null) {
      await send(
        async () => {
          const { user, message } = await register(typed).catch((error: unknown) => reenter(error, typed))
          onEntered(user, message)
        },
        (error) => {
          if (error instanceof ApiError && error.status === 0) unanswered.current.add(typed.username)
          fields = fieldsOf(error)
          return describe(error)
        },
      )
    } else complain(found.message)
    setWrong(fields)
    focusFirst(form, fields)
  }

  /** A registration whose answer was lost has taken the name: its password logs in. */
  const reenter = async (refusal: unknown, { username, password }: { username: string; password: string }) => {
    const isOwn = refusal instanceof ApiError && refusal.code === 'taken' && unanswered.current.has(username)
    const entered = isOwn ? await logIn(username, password).catch(() => null) : null
    if (entered === null) throw refusal
    return { user: entered.user, message: messages.register_succeeded }
  }

  return (
    <AccountForm request={request} onSubmit={submit} wrong={wrong} label={busy ? '登録しています…' : '登録する'}>
      {(about) => (
        <>
          <NameField describedBy={about('username')} />
          <EmailField hint="公開されません。" describedBy={about('email')} />
          <PasswordField kind="new" describedBy={about('password')} />
          <p className={styles['note']}>
            登録には<Link to={paths.terms}>利用規約</Link>への同意が必要です。登録すると、同意したものとみなします。
          </p>
        </>
      )}
    </AccountForm>
  )
}

/** The server's message, or 登録に失敗しました. */
function describe(error: unknown): string {
  if (!(error instanceof ApiError)) return messages.register_failed
  return error.fromServer || error.status === 0 ? error.message : messages.register_failed
}

/** The fields to which a refusal belongs. */
function fieldsOf(error: unknown): RegisterField[] {
  if (!(error instanceof ApiError)) return []
  if (error.code === 'bad_email') return ['email']
  if (error.code === 'bad_password') return ['password']
  const named = error.code === 'bad_username' || error.code === 'banned_word' || error.code === 'taken'
  return named ? ['username'] : []
}
