import { messages } from '@shinobi/contract/messages'
import { useState, type ReactNode } from 'react'
import { ApiError, type ApiErrorCode } from '../../lib/api-client.ts'
import { useRequest, wordsOf } from '../../lib/use-request.ts'
import type { ButtonVariant } from '../../ui/button.tsx'
import { AccountForm, type About } from './account-form.tsx'
import { focusFirst, PasswordField, readForm } from './fields.tsx'

const PASSWORD = 'currentPassword'

interface Problem<F extends string> {
  readonly field: F
  readonly message: string
}

interface ConfirmedFormProps<F extends string> {
  /** The user name, by which password managers know the account. */
  name: string
  hasPassword: boolean
  label: ReactNode
  variant?: ButtonVariant
  intro?: ReactNode
  /** The names of the fields that follow the password. */
  fields: readonly F[]
  children?: (about: About<F>) => ReactNode
  findProblem?: (typed: Readonly<Record<F, string>>) => Problem<F> | null
  /** The field that each refusal of the server is about, other than a wrong password. */
  refusals?: Readonly<Partial<Record<ApiErrorCode, F>>>
  /** @param currentPassword undefined for an account without a password */
  send: (currentPassword: string | undefined, typed: Readonly<Record<F, string>>) => Promise<void>
}

/** A change to an account, for which its password is asked again where it has one. */
export function ConfirmedForm<F extends string>({
  name,
  hasPassword,
  label,
  variant = 'primary',
  intro,
  fields,
  children,
  findProblem,
  refusals,
  send,
}: ConfirmedFormProps<F>) {
  const request = useRequest()
  const [wrong, setWrong] = useState<readonly (F | typeof PASSWORD)[]>([])

  const submit = async (form: HTMLFormElement) => {
    const typed = readForm<F>(form, ...fields)
    const password = readForm(form, PASSWORD)[PASSWORD]
    const isMissing = hasPassword && password === ''
    const found = isMissing ? null : (findProblem?.(typed) ?? null)
    let marked: readonly (F | typeof PASSWORD)[] = found === null ? [] : [found.field]
    if (isMissing) {
      marked = [PASSWORD, ...fields.filter((field) => typed[field] === '')]
      request.complain(messages.register_required_fields)
    } else if (found !== null) request.complain(found.message)
    else {
      await request.send(
        () => send(hasPassword ? password : undefined, typed),
        (error) => {
          const words = wordsOf(error)
          const refused = error instanceof ApiError ? refusals?.[error.code] : undefined
          if (words === messages.password_wrong) marked = [PASSWORD]
          else if (refused !== undefined) marked = [refused]
          return words
        },
      )
    }
    setWrong(marked)
    focusFirst(form, marked)
  }

  return (
    <AccountForm request={request} onSubmit={submit} wrong={wrong} label={label} variant={variant}>
      {(about) => (
        <>
          <input type="text" name="username" autoComplete="username" value={name} readOnly hidden />
          {intro}
          {hasPassword && (
            <PasswordField kind="current" label="現在のパスワード" name={PASSWORD} describedBy={about(PASSWORD)} />
          )}
          {children?.(about)}
        </>
      )}
    </AccountForm>
  )
}
