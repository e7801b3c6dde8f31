/** The fields of an account, all of them required. They keep what they hold themselves, so that nothing rewrites it while it is converted. */
import { PASSWORD, USERNAME } from '@shinobi/contract/limits'
import type { ReactNode } from 'react'
import { useImeSafeEnter } from '../../lib/use-ime-safe-enter.ts'
import { Field, TextInput } from '../../ui/field.tsx'
import { PasswordInput } from '../../ui/password-input.tsx'

interface AccountFieldProps {
  label?: string
  hint?: ReactNode
  error?: string | null
  /** The message about it stands elsewhere, under this id. */
  describedBy?: string | undefined
  name?: string
  defaultValue?: string
  autoFocus?: boolean
}

const wrongBy = (describedBy: string | undefined) =>
  describedBy === undefined ? {} : ({ 'aria-invalid': true, 'aria-describedby': describedBy } as const)

export function NameField({
  label = 'ユーザー名',
  hint = `${USERNAME.min}〜${USERNAME.max}文字。書き込みに付く名前です。`,
  error,
  describedBy,
  name = 'username',
  defaultValue,
}: AccountFieldProps) {
  const enter = useImeSafeEnter({})
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => (
        <TextInput
          {...field}
          required
          {...wrongBy(describedBy)}
          {...enter}
          name={name}
          defaultValue={defaultValue}
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
        />
      )}
    </Field>
  )
}

export function EmailField({ label = 'メールアドレス', hint, error, describedBy, name = 'email' }: AccountFieldProps) {
  const enter = useImeSafeEnter({})
  return (
    <Field label={label} hint={hint} error={error}>
      {(field) => (
        <TextInput
          {...field}
          required
          {...wrongBy(describedBy)}
          {...enter}
          type="email"
          name={name}
          autoComplete="email"
          inputMode="email"
        />
      )}
    </Field>
  )
}

export function PasswordField({
  label = 'パスワード',
  hint,
  error,
  describedBy,
  name = 'password',
  kind,
}: AccountFieldProps & { kind: 'current' | 'new' }) {
  const enter = useImeSafeEnter({})
  const rule = `${PASSWORD.min}文字以上`
  return (
    <Field label={label} hint={hint ?? (kind === 'new' ? rule : undefined)} error={error}>
      {(field) => (
        <PasswordInput
          {...field}
          required
          {...wrongBy(describedBy)}
          {...enter}
          name={name}
          autoComplete={`${kind}-password`}
        />
      )}
    </Field>
  )
}

/** What a form's fields hold. Passwords keep their spaces. */
export function readForm<K extends string>(form: HTMLFormElement, ...names: K[]): Record<K, string> {
  const data = new FormData(form)
  const read = (name: string) => {
    const value = data.get(name)
    return typeof value === 'string' ? value : ''
  }
  return Object.fromEntries(names.map((name) => [name, read(name)])) as Record<K, string>
}

/** Puts the keyboard where something has to be mended. */
export const focusField = (form: HTMLFormElement, name: string): void =>
  form.querySelector<HTMLInputElement>(`[name="${name}"]`)?.focus()
